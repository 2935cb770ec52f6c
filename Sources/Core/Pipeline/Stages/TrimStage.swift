import Framing
import Geometry
import Imaging

/// Finds the part of a source without the uniform border around it.
struct TrimStage {
    /// The maximum side of the image that is searched for borders, in pixels, if the format can be decoded at a smaller
    /// scale.
    static let longestSide = 1000

    /// The size of the upright source, in pixels.
    let sourceSize: PixelSize

    /// Returns the minimum size of the image that is searched for borders, for a part of the source.
    static func size(for area: PixelSize) -> PixelSize {
        area.scaled(by: min(1, Double(longestSide) / Double(area.longSide)), .up)
    }

    /// Returns the part of `area` inside its uniform border, in pixels of the source; `area` if its whole content is
    /// uniform.
    ///
    /// If the source was decoded at a reduced scale, the outermost pixels of the content are mixed with the border and
    /// are cut off as well. `tolerance` is the maximum difference, 0…255, between a sample of the border and the sample
    /// in the upper left corner.
    func content(of image: PlanarImage, in area: PixelRect, tolerance: Int) -> PixelRect {
        let across = Axis(source: sourceSize.width, image: image.size.width)
        let down = Axis(source: sourceSize.height, image: image.size.height)
        let (columns, rows) = (across.inside(area.columns), down.inside(area.rows))
        guard let columns, let rows else { return area }
        let searched = PixelRect(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
        guard let content = image.content(in: searched, tolerance: tolerance) else { return area }
        let (x, y) = (
            across.outside(content.columns, of: columns, in: area.columns),
            down.outside(content.rows, of: rows, in: area.rows)
        )
        return PixelRect(x: x.lowerBound, y: y.lowerBound, width: x.count, height: y.count)
    }

    /// One side of the source and of the decoded image.
    private struct Axis {
        let source: Int
        let image: Int

        /// Returns the pixels of the decoded image that lie completely inside an interval of the source; nil if there
        /// are none.
        func inside(_ interval: Range<Int>) -> Range<Int>? {
            let first = (interval.lowerBound * image + source - 1) / source
            let end = interval.upperBound * image / source
            return first < end ? first..<end : nil
        }

        /// Returns the pixels of the source that the content covers; they include at least one pixel of `area`.
        ///
        /// If the content reaches an end of the searched interval, nothing is cut off there.
        func outside(_ content: Range<Int>, of searched: Range<Int>, in area: Range<Int>) -> Range<Int> {
            // A reduced pixel at the edge is partly border.
            let mixed = image < source && content.count > 2 ? 1 : 0
            let first = content.lowerBound + mixed
            let last = content.upperBound - mixed
            let start = content.lowerBound == searched.lowerBound ? area.lowerBound : first * source / image
            let end = content.upperBound == searched.upperBound ? area.upperBound : (last * source + image - 1) / image
            return max(start, area.lowerBound)..<min(max(end, start + 1), area.upperBound)
        }
    }
}
