import Geometry

extension PlanarImage {
    /// Returns this image with all pixels of the masks replaced, in every plane and in alpha.
    ///
    /// Replacements depend only on the original pixels, so overlapping masks do not weaken each other. If most of a
    /// mask lies in another mask, both become one area, because edges between them can look like a face again.
    ///
    /// - Parameters:
    ///   - masks: In pixels of this image; parts outside are clipped.
    ///   - style: The replacement of the pixels.
    /// - Returns: A copy; the image itself if no mask touches it.
    /// - Throws: ``CodecError/outOfMemory``.
    package func redacted(_ masks: [RedactionMask], as style: RedactionStyle) throws(CodecError) -> PlanarImage {
        let touching = masks.filter { $0.bounds.left < Double(size.width) && $0.bounds.right > 0 }
            .filter { $0.bounds.top < Double(size.height) && $0.bounds.bottom > 0 }
        guard !touching.isEmpty else { return self }
        let areas = RedactionMask.joined(touching)
        let grey = colorModel.samples(red: 128, green: 128, blue: 128)
        var copies: [Plane] = []
        for (index, plane) in planes.enumerated() {
            let shared = colorModel.subsampling(ofPlane: index)
            let replacement = PlaneRedaction(style: style, subsampling: shared, fill: grey[index])
            copies.append(try replacement.applied(to: plane, areas))
        }
        let opacity = PlaneRedaction(style: style, subsampling: .none, fill: 255)
        let redacted = try alpha.map { (plane) throws(CodecError) in try opacity.applied(to: plane, areas) }
        return replacing(copies, alpha: redacted)
    }
}

/// Replaces the masked samples of one plane.
private struct PlaneRedaction {
    let style: RedactionStyle
    /// The pixels that share a sample.
    let subsampling: ChromaSubsampling
    /// The sample of ``RedactionStyle/fill``.
    let fill: UInt8

    func applied(to plane: Plane, _ masks: [RedactionMask]) throws(CodecError) -> Plane {
        let copy = try plane.copied()
        plane.withUnsafeSamples { samples in
            for mask in masks { replace(mask, samples, of: plane, in: copy) }
        }
        return copy
    }

    private func replace(_ mask: RedactionMask, _ samples: UnsafeBufferPointer<UInt8>, of plane: Plane, in copy: Plane)
    {
        let (x, y) = (Double(subsampling.horizontal), Double(subsampling.vertical))
        let bounds = mask.bounds
        let edges = (left: bounds.left / x, top: bounds.top / y, right: bounds.right / x, bottom: bounds.bottom / y)
        let (left, top) = (Int(edges.left.rounded(.down)), Int(edges.top.rounded(.down)))
        let part = PixelRect(
            x: left,
            y: top,
            width: Int(edges.right.rounded(.up)) - left,
            height: Int(edges.bottom.rounded(.up)) - top
        ).intersection(PixelRect(plane.size))
        guard part.area > 0 else { return }
        // All planes have the same cells.
        let cells = style.cells(height: bounds.bottom - bounds.top)
        let grid = RedactionGrid(
            edges,
            of: samples,
            bytesPerRow: plane.bytesPerRow,
            in: part,
            cells: cells,
            contrast: style == .blur ? RedactionGrid.blurContrast : 1
        )
        let shapes = mask.parts.map { Superellipse($0, mask.shape) }
        let columns = part.columns.map { column in
            let distance = Double(column) + 0.5 - grid.left
            return (
                cell: RedactionGrid.cell(distance, of: grid.width, grid.columns),
                between: RedactionGrid.between(distance, of: grid.width, grid.columns)
            )
        }
        for row in part.rows {
            let distance = Double(row) + 0.5 - grid.top
            let cell = RedactionGrid.cell(distance, of: grid.height, grid.rows) * grid.columns
            let (upper, lower, share) = RedactionGrid.between(distance, of: grid.height, grid.rows)
            let centre = (Double(row) + 0.5) * y
            let target = copy.base + row * copy.bytesPerRow
            for (offset, column) in columns.enumerated() {
                let sample = part.x + offset
                let place = PixelPoint(x: (Double(sample) + 0.5) * x, y: centre)
                guard shapes.contains(where: { $0.contains(place) }) else { continue }
                switch style {
                case .fill: target[sample] = fill
                case .pixelate: target[sample] = UInt8(grid.means[cell + column.cell].rounded())
                case .blur:
                    let (first, second, part) = column.between
                    let (above, below) = (upper * grid.columns, lower * grid.columns)
                    let high =
                        grid.means[above + first] + part * (grid.means[above + second] - grid.means[above + first])
                    let low =
                        grid.means[below + first] + part * (grid.means[below + second] - grid.means[below + first])
                    target[sample] = UInt8((high + share * (low - high)).rounded())
                }
            }
        }
    }
}

/// A grid of cells over a redacted head; only the mean samples of its cells are kept.
///
/// A blur with a wide kernel can be partly undone. With cells, the remaining information is limited to one sample for
/// each cell of each plane.
private struct RedactionGrid {
    let columns, rows: Int
    /// The edges and sides of the grid, in samples of the plane.
    let left, top, width, height: Double
    let means: [Double]

    /// The fraction of the differences between cells that remains after a blur.
    static let blurContrast = 0.5

    /// The means of a plane's samples in `part`, which may be only the visible part of the grid.
    ///
    /// They keep the fraction `contrast` of their difference from the overall mean.
    init(
        _ edges: (left: Double, top: Double, right: Double, bottom: Double),
        of samples: UnsafeBufferPointer<UInt8>,
        bytesPerRow: Int,
        in part: PixelRect,
        cells: (across: Int, down: Int),
        contrast: Double
    ) {
        let (columns, rows) = cells
        (self.columns, self.rows) = (columns, rows)
        let (across, down) = (max(1, edges.right - edges.left), max(1, edges.bottom - edges.top))
        (left, top, width, height) = (edges.left, edges.top, across, down)
        var sums = [Int](repeating: 0, count: columns * rows)
        var counts = [Int](repeating: 0, count: columns * rows)
        let columnOf = part.columns.map { Self.cell(Double($0) + 0.5 - edges.left, of: across, columns) }
        for y in part.rows {
            let row = Self.cell(Double(y) + 0.5 - edges.top, of: down, rows) * columns
            for (offset, column) in columnOf.enumerated() {
                sums[row + column] += Int(samples[y * bytesPerRow + part.x + offset])
                counts[row + column] += 1
            }
        }
        let all = counts.reduce(0, +)
        let mean = all == 0 ? 128 : Double(sums.reduce(0, +)) / Double(all)
        // Cells outside the image get the mean of the image's cells.
        means = zip(sums, counts).map { $1 == 0 ? mean : mean + contrast * (Double($0) / Double($1) - mean) }
    }

    /// The cell of a sample's centre, by its distance from the left or upper edge.
    static func cell(_ distance: Double, of length: Double, _ count: Int) -> Int {
        min(max(Int(distance / length * Double(count)), 0), count - 1)
    }

    /// Returns the cells on both sides of a sample, and the sample's position between them from 0 to 1.
    ///
    /// The position is eased so that the transition and its slope are continuous.
    static func between(_ distance: Double, of length: Double, _ count: Int) -> (first: Int, second: Int, share: Double)
    {
        let place = min(max(distance / length * Double(count) - 0.5, 0), Double(count - 1))
        let first = min(Int(place), count - 1)
        let share = place - Double(first)
        return (first, min(first + 1, count - 1), share * share * (3 - 2 * share))
    }
}
