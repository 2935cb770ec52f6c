/// The shape of a crop: width to height.
package struct AspectRatio: Hashable, Codable, Sendable {
    /// The narrowest and the widest shape that is served; beyond it a crop is a line of pixels, not a picture.
    package static let allowedValues = 0.01...100.0

    /// Width divided by height.
    package let value: Double

    /// The ratio as it was asked for, such as `16:9` or `1.5`.
    package let text: String

    /// Reads `16:9`, `1.91:1` or `1.5`; nil when the text is none of these or lies outside ``allowedValues``.
    package init?(_ text: String) {
        let sides = text.split(separator: ":", omittingEmptySubsequences: false).map { Double(plainDecimal: $0) }
        let value: Double
        switch sides.count {
        case 1:
            guard let ratio = sides[0] else { return nil }
            value = ratio
        case 2:
            guard let width = sides[0], let height = sides[1], height > 0 else { return nil }
            value = width / height
        default:
            return nil
        }
        guard Self.allowedValues.contains(value) else { return nil }
        self.value = value
        self.text = text
    }

    /// The shape of something that has this size; nil for an empty size or a shape outside ``allowedValues``.
    package init?(_ size: PixelSize) {
        self.init("\(size.width):\(size.height)")
    }

    /// The largest rectangle of this shape inside `size`: one side spans the image, the other is rounded to the nearest
    /// whole pixel and is at least 1.
    package func widestCrop(in size: PixelSize) -> PixelSize {
        let width = Double(size.width)
        let height = Double(size.height)
        if width > height * value {
            return PixelSize(width: min(size.width, Self.wholePixels(height * value)), height: size.height)
        }
        return PixelSize(width: size.width, height: min(size.height, Self.wholePixels(width / value)))
    }

    /// The height that goes with a width in this shape, at least 1.
    package func height(forWidth width: Int) -> Int { Self.wholePixels(Double(width) / value) }

    /// The width that goes with a height in this shape, at least 1.
    package func width(forHeight height: Int) -> Int { Self.wholePixels(Double(height) * value) }

    private static func wholePixels(_ length: Double) -> Int { max(1, Int(length.rounded())) }
}
