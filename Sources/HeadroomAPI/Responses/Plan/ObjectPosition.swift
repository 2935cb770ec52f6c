package import Framing
package import Geometry

/// The CSS `object-position` that shows a crop in a browser that has the whole image.
package struct ObjectPosition: Hashable, Codable, Sendable {
    /// The share of the horizontal slack to the left of the crop, in percent; 50 without slack.
    package let x: Double
    /// The share of the vertical slack above the crop, in percent; 50 without slack.
    package let y: Double

    /// The position of `crop` in an image of the given size (CSS Images 3, §5.5: percentages of the slack).
    ///
    /// With `object-fit: cover`, it shows the same area if the crop is the largest of its shape.
    package init(of crop: PixelRect, in size: PixelSize) {
        x = Self.percent(before: crop.x, slack: size.width - crop.width)
        y = Self.percent(before: crop.y, slack: size.height - crop.height)
    }

    /// The position of a crop or a letterboxed image in an image of the given size.
    ///
    /// Requires `object-fit: cover` for a crop, and `object-fit: contain` for a whole image with bars.
    package init(of crop: PixelRect, letterbox: Letterbox?, in size: PixelSize) {
        if let letterbox, crop == PixelRect(size) {
            self.init(x: letterbox.left * 100, y: letterbox.above * 100)
        } else {
            self.init(of: crop, in: size)
        }
    }

    private init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    private static func percent(before: Int, slack: Int) -> Double {
        slack > 0 ? (Double(before) / Double(slack) * 10_000).rounded() / 100 : 50
    }
}
