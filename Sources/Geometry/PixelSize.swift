/// A width and a height in whole pixels.
public struct PixelSize: Hashable, Codable, Sendable {
    /// Pixels across.
    public var width: Int
    /// Pixels down.
    public var height: Int

    /// A size of `width` by `height` pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The number of pixels; sides are at most 2³¹, so the product fits.
    public var area: Int { width * height }

    /// The shorter of the two sides.
    public var shortSide: Int { min(width, height) }

    /// The longer of the two sides.
    public var longSide: Int { max(width, height) }
}
