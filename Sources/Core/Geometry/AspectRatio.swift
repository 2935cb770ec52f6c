import TotalFunctions

/// The aspect ratio of a crop: width to height.
package struct AspectRatio: Hashable, Codable, Sendable {
    /// The accepted range of values; a crop outside it would be a line of pixels.
    package static let allowedValues = 0.01...100.0

    /// Width divided by height.
    package let value: Double

    /// The requested notation of the ratio, such as `16:9` or `1.5`.
    package let text: String

    package static let square = AspectRatio(value: 1, text: "1:1", pixels: nil)

    /// The size in whole pixels that the aspect ratio represents; nil for an exact ratio.
    private let pixels: PixelSize?

    /// Creates the ratio of `width` to `height`; nil if `height` is not positive or the ratio is outside
    /// ``allowedValues``.
    ///
    /// - Parameters:
    ///   - width: Width in any unit.
    ///   - height: Height in the same unit.
    ///   - text: The ratio in the caller's notation, without checks; by default `width:height`.
    package init?(_ width: Double, _ height: Double, text: String? = nil) {
        self.init(width, height, text: text, pixels: nil)
    }

    private init?(_ width: Double, _ height: Double, text: String?, pixels: PixelSize?) {
        guard height > 0, Self.allowedValues.contains(width / height) else { return nil }
        value = width / height
        self.text = text ?? "\(Self.plain(width)):\(Self.plain(height))"
        self.pixels = pixels
    }

    /// Creates the ratio of an image of this size; nil for an empty size or a ratio outside ``allowedValues``.
    package init?(_ size: PixelSize) { self.init(Double(size.width), Double(size.height)) }

    /// Creates the ratio of a result of this size; nil as for an image.
    ///
    /// Sizes in whole pixels rarely have exactly the aspect ratio of an image: an image of 640 by 427 pixels has a
    /// height of 170.8 at a width of 256. A result of 256 by 171 pixels shows the whole image.
    package init?(ofResult size: PixelSize) {
        self.init(Double(size.width), Double(size.height), text: nil, pixels: size)
    }

    /// The ratio after a rotation by 90°, with the requested text.
    package var transposed: AspectRatio {
        AspectRatio(value: 1 / value, text: text, pixels: pixels.map { PixelSize(width: $0.height, height: $0.width) })
    }

    private init(value: Double, text: String, pixels: PixelSize?) {
        self.value = value
        self.text = text
        self.pixels = pixels
    }

    /// Returns the largest rectangle of this aspect ratio inside `size`, in pixels.
    ///
    /// One side spans the image; the other is rounded to the nearest pixel and is at least 1.
    package func widestCrop(in size: PixelSize) -> PixelSize {
        if let pixels, pixels.isRounded(from: size) { return size }
        let width = Double(size.width)
        let height = Double(size.height)
        if width > height * value {
            return PixelSize(width: min(size.width, Self.wholePixels(height * value)), height: size.height)
        }
        return PixelSize(width: size.width, height: min(size.height, Self.wholePixels(width / value)))
    }

    /// Returns the height for a width in this aspect ratio, at least 1 pixel.
    package func height(forWidth width: Int) -> Int { Self.wholePixels(Double(width) / value) }

    /// Returns the width for a height in this aspect ratio, at least 1 pixel.
    package func width(forHeight height: Int) -> Int { Self.wholePixels(Double(height) * value) }

    /// Returns a number as text, without a fraction if it is whole.
    private static func plain(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }

    private static func wholePixels(_ length: Double) -> Int { max(1, Int(clamping: length.rounded())) }
}
