import Geometry

/// The cells whose mean samples are all that is left of a redacted head.
///
/// A blur with a wide kernel can be undone in part. Here the information that is left is bounded: one sample a cell for
/// each plane.
struct RedactionGrid {
    /// Cells across.
    let columns: Int
    /// Cells down.
    let rows: Int
    /// The edges of the grid, in samples of the plane.
    let left: Double
    let top: Double
    let width: Double
    let height: Double
    let means: [Double]

    /// The share of the differences between cells that a blur keeps.
    private static let blurContrast = 0.5

    /// The means of a plane's samples in `part`, which may be the visible part of the grid only.
    ///
    /// Those of a blur keep ``blurContrast`` of their difference from the mean of all.
    init(
        _ edges: (left: Double, top: Double, right: Double, bottom: Double),
        of samples: UnsafeBufferPointer<UInt8>,
        bytesPerRow: Int,
        in part: PixelRect,
        style: RedactionStyle
    ) {
        let (columns, rows) = style.cells
        (self.columns, self.rows) = (columns, rows)
        let (across, down) = (max(1, edges.right - edges.left), max(1, edges.bottom - edges.top))
        (left, top, width, height) = (edges.left, edges.top, across, down)
        let cells = columns * rows
        var sums = [Int](repeating: 0, count: cells)
        var counts = [Int](repeating: 0, count: cells)
        let columnOf = part.columns.map { Self.cell(Double($0) + 0.5 - edges.left, of: across, columns) }
        for y in part.rows {
            let row = Self.cell(Double(y) + 0.5 - edges.top, of: down, rows) * columns
            for (offset, column) in columnOf.enumerated() {
                sums[row + column] += Int(samples[y * bytesPerRow + part.x + offset])
                counts[row + column] += 1
            }
        }
        let contrast = style == .blur ? Self.blurContrast : 1
        let all = counts.reduce(0, +)
        let mean = all == 0 ? 128 : Double(sums.reduce(0, +)) / Double(all)
        // Cells outside of the picture continue it.
        means = zip(sums, counts).map { $1 == 0 ? mean : mean + contrast * (Double($0) / Double($1) - mean) }
    }

    /// The cell of a sample's centre, by its distance from the left or upper edge.
    static func cell(_ distance: Double, of length: Double, _ count: Int) -> Int {
        min(max(Int(distance / length * Double(count)), 0), count - 1)
    }

    /// The cells on both sides of a sample, and how far it is from the first to the second, eased so that neither the
    /// transition nor its slope jumps.
    static func between(_ distance: Double, of length: Double, _ count: Int) -> (first: Int, second: Int, share: Double)
    {
        let place = min(max(distance / length * Double(count) - 0.5, 0), Double(count - 1))
        let first = min(Int(place), count - 1)
        let share = place - Double(first)
        return (first, min(first + 1, count - 1), share * share * (3 - 2 * share))
    }
}
