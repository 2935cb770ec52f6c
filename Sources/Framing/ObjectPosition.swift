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

    /// A position of percentages.
    init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    private static func percent(before: Int, slack: Int) -> Double {
        slack > 0 ? (Double(before) / Double(slack) * 10_000).rounded() / 100 : 50
    }
}
