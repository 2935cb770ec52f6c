import FaceDetection
import Framing
import Geometry
import Imaging

/// Measures the sharpness of faces, so that faces of the same image can be compared.
///
/// A face of any size is averaged to the same number of cells. A blur that is proportional to the face therefore has
/// the same effect at any size. The sharpness is the mean absolute Laplacian of the cells divided by their mean
/// gradient. The quotient does not depend on contrast, but it depends on details of the size of a cell, which a blur
/// removes first. All sums are integers, so equal pixels give the same sharpness on all processors.
enum Sharpness {
    /// The sharpness of a fully sharp face, in thousandths; higher values are noise or a printed screen.
    static let full = 1000
    /// The number of cells per row and column of a face; a face with fewer pixels has no sharpness.
    private static let cells = 24
    /// The maximum number of samples of a cell per row and column; more samples are omitted.
    private static let maxSamples = 4
    /// The margin that is added on each side so that the outline of the face is included, as a fraction of its box.
    private static let margin = 0.1

    /// Measures the sharpness of a face.
    ///
    /// - Parameters:
    ///   - box: The face, in pixels of the image.
    ///   - image: The luma of the image.
    /// - Returns: 0…``full``; nil if the face has fewer pixels than cells on a side, or is a plain surface.
    static func thousandths(of box: PixelRect, in image: LumaImage) -> Int? {
        guard min(box.width, box.height) >= cells else { return nil }
        let area = box.grown(by: Int((margin * Double(box.size.shortSide)).rounded()), in: image.size)
        guard min(area.width, area.height) >= cells else { return nil }
        let sums = sums(of: area, in: image)
        var (gradients, laplacians) = (0, 0)
        func sum(_ column: Int, _ row: Int) -> Int { sums[row * cells + column] }
        for row in 1..<cells - 1 {
            for column in 1..<cells - 1 {
                let middle = sum(column, row)
                let (right, below) = (sum(column + 1, row), sum(column, row + 1))
                gradients += abs(right - middle) + abs(below - middle)
                laplacians += abs(4 * middle - right - below - sum(column - 1, row) - sum(column, row - 1))
            }
        }
        guard gradients > 0 else { return nil }
        return min(full, laplacians * 1000 / gradients)
    }

    /// Returns the sum of the luma in each cell, row after row, in equal units.
    ///
    /// A sample at the border of two cells is divided between them. The area is inside the image, and each of its sides
    /// has at least as many pixels as there are cells.
    private static func sums(of area: PixelRect, in image: LumaImage) -> [Int] {
        let (columns, rows) = (Line(from: area.x, length: area.width), Line(from: area.y, length: area.height))
        var sums = [Int](repeating: 0, count: cells * cells)
        // Cumulative luma sums of one row, before each sample and before each cell border, in units of 1/`cells`.
        var before = [Int](repeating: 0, count: columns.count + 1)
        var ends = [Int](repeating: 0, count: cells + 1)
        image.withPixels { pixels in
            for index in 0..<rows.count {
                let start = rows.position(index) * image.bytesPerRow
                for sample in 0..<columns.count {
                    before[sample + 1] = before[sample] + Int(pixels[start + columns.position(sample)])
                }
                for border in 1...cells {
                    let (sample, part) = (border * columns.count).quotientAndRemainder(dividingBy: cells)
                    let cut = part > 0 ? part * (before[sample + 1] - before[sample]) : 0
                    ends[border] = cells * before[sample] + cut
                }
                let row = index * cells / rows.count
                let first = min(cells, (row + 1) * rows.count - index * cells)
                for column in 0..<cells {
                    let sum = ends[column + 1] - ends[column]
                    sums[row * cells + column] += first * sum
                    if first < cells { sums[(row + 1) * cells + column] += (cells - first) * sum }
                }
            }
        }
        return sums
    }

    /// The samples of a face on one axis: every pixel, or equally spaced pixels in a large face.
    private struct Line {
        /// The number of samples, at least ``Sharpness/cells``.
        let count: Int
        private let first, step: Int

        init(from start: Int, length: Int) {
            step = max(1, length / (cells * maxSamples))
            count = length / step
            first = start + step / 2
        }

        /// Returns the position of a sample in the image.
        func position(_ index: Int) -> Int { first + index * step }
    }
}
