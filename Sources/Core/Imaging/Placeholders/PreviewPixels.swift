package import Geometry

/// The pixels of a small image, the input of placeholders.
package struct PreviewPixels: Sendable {
    /// The maximum side of the image, in pixels; ThumbHash allows no larger side.
    package static let longestSide = 100

    /// Columns and rows, each at least 1 and at most ``longestSide``.
    package let size: PixelSize
    /// Red, green and blue of each pixel in sRGB, row by row.
    let colors: [[UInt8]]
    /// Opacity of each pixel; 255 is opaque.
    let alpha: [UInt8]

    /// Copies an RGB or grey image whose sides are at most ``longestSide``; nil for a larger image.
    package init?(_ image: PlanarImage) {
        guard image.size.longSide <= Self.longestSide, image.planes.count == 3 || image.planes.count == 1 else {
            return nil
        }
        size = image.size
        let planes = image.planes.map(\.samples)
        colors = planes.count == 3 ? planes : [planes[0], planes[0], planes[0]]
        alpha = image.alpha?.samples ?? [UInt8](repeating: 255, count: image.size.area)
    }

    /// The size of the small image for an output of a given size: the same aspect ratio, and at most ``longestSide`` per
    /// side.
    package static func size(for result: PixelSize) -> PixelSize {
        guard result.longSide > longestSide else { return result }
        func side(_ length: Int) -> Double { Double(length) * Double(longestSide) / Double(result.longSide) }
        return PixelSize(rounding: side(result.width), side(result.height))
    }
}

extension PreviewPixels {
    /// The mean colour of the pixels in the fullest of 512 cells of the colour space; nil for an image without a
    /// visible pixel.
    ///
    /// A cell has 32 levels of red, of green and of blue. Pixels that are less than half opaque do not count; if
    /// several cells are equally full, the darkest is used.
    package var dominantColor: KeyColor? {
        var counts = [Int](repeating: 0, count: 512)
        let cells = alpha.indices.map { index in
            Int(colors[0][index] >> 5) << 6 | Int(colors[1][index] >> 5) << 3 | Int(colors[2][index] >> 5)
        }
        for (index, cell) in cells.enumerated() where alpha[index] >= 128 { counts[cell] += 1 }
        guard let maximum = counts.max(), maximum > 0, let fullest = counts.firstIndex(of: maximum) else { return nil }
        var sums = [0, 0, 0]
        for (index, cell) in cells.enumerated() where cell == fullest && alpha[index] >= 128 {
            for plane in 0..<3 { sums[plane] += Int(colors[plane][index]) }
        }
        let means = sums.map { UInt8(($0 + maximum / 2) / maximum) }
        return KeyColor(red: means[0], green: means[1], blue: means[2])
    }
}
