package import Framing
package import Geometry

/// The CSS `object-position` that shows a crop in a browser that has the whole image.
package struct ObjectPosition: Hashable, Codable, Sendable {
    /// Percent of the horizontal slack that lies left of the crop; 50 where there is no slack.
    package let x: Double
    /// Percent of the vertical slack that lies above the crop; 50 where there is no slack.
    package let y: Double

    /// The position of `crop` in an image of the given size (CSS Images 3, §5.5: the slack is shared out by percentage).
    ///
    /// With `object-fit: cover` it shows the same picture when the crop is the widest of its shape.
    package init(of crop: PixelRect, in size: PixelSize) {
        x = Self.percent(before: crop.x, slack: size.width - crop.width)
        y = Self.percent(before: crop.y, slack: size.height - crop.height)
    }

    /// The position of a crop, perhaps with bars, in an image of the given size.
    ///
    /// It goes with `object-fit: cover` for a crop, and with `object-fit: contain` for a whole image with bars.
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
