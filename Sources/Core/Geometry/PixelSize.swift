import TotalFunctions

/// A width and a height in whole pixels.
public struct PixelSize: Hashable, Codable, Sendable {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    /// Creates a size of `width` by `height` pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Creates the nearest size in whole pixels, at least 1 by 1.
    package init(rounding width: Double, _ height: Double) {
        self.init(width: max(1, Int(clamping: width.rounded())), height: max(1, Int(clamping: height.rounded())))
    }

    /// The number of pixels; `Int.max` for more.
    public var area: Int { width.saturatingMultiplied(by: height) }

    /// The shorter of the two sides.
    public var shortSide: Int { min(width, height) }

    /// The longer of the two sides.
    public var longSide: Int { max(width, height) }

    /// Whether the other size, scaled to this width or this height and rounded to whole pixels, equals this size.
    package func isRounded(from other: PixelSize) -> Bool {
        guard other.width > 0, other.height > 0 else { return false }
        let (across, down) = (Double(width) / Double(other.width), Double(height) / Double(other.height))
        return abs(Double(other.height) * across - Double(height)) <= 0.5
            || abs(Double(other.width) * down - Double(width)) <= 0.5
    }

    /// Returns the size at a scale, at least 1 by 1, with each side rounded to the nearest pixel or by another rule.
    package func scaled(by scale: Double, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero) -> PixelSize {
        PixelSize(
            width: max(1, Int(clamping: (Double(width) * scale).rounded(rule))),
            height: max(1, Int(clamping: (Double(height) * scale).rounded(rule)))
        )
    }
}
