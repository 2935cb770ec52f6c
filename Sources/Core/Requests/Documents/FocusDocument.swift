package import Framing
package import Geometry
package import Pipeline

/// The focal point of an image, and the same point in the notation of other services.
///
/// Coordinates refer to the upright image, with the origin at the top left.
package struct FocusDocument: Encodable, Sendable {
    var source: PlanDocument.Source
    package var decision: String
    var focus: FocalPoint
    var cloudflare: String
    var cloudinary: String
    /// The column of an asset in Craft, as fractions with four digits.
    var craft: String
    var css: String
    /// The columns of a file in Directus, in pixels.
    var directus: [String: Int]
    var imgix: String
    var imgproxy: String
    /// The focal point fields of an upload in Payload, in percent.
    var payload: [String: Double]
    /// `hotspot` of an image in Sanity, in fractions: the centre and the size.
    var sanity: [String: [String: Double]]
    /// The focal point attribute of a file in Strapi, in percent.
    var strapi: [String: [String: Double]]
    var thumbor: String
    /// The columns of an image in Wagtail, in pixels: the centre and the size.
    var wagtail: [String: Int]
    /// The attribute of WordPress's Cover block.
    var wordpress: [String: FocalPoint]

    /// Creates the focal point of a plan's first crop; nil without crops.
    package init?(_ plan: FramePlan) {
        guard let crop = plan.crops.first else { return nil }
        let (size, area) = (plan.source.size, crop.focalArea)
        let focus = FocalPoint(of: crop, in: size)
        source = PlanDocument.Source(plan.source)
        decision = crop.decision.description
        self.focus = focus
        let (x, y) = (PlanDocument.plain(focus.x), PlanDocument.plain(focus.y))
        cloudflare = "fit=cover,gravity=\(x)x\(y)"
        let (middleX, middleY) = (area.x + area.width / 2, area.y + area.height / 2)
        cloudinary = "c_fill,g_xy_center,x_\(middleX),y_\(middleY)"
        craft = "\(Self.fourDigits(focus.x));\(Self.fourDigits(focus.y))"
        directus = ["focal_point_x": middleX, "focal_point_y": middleY]
        wagtail = directus.merging(["focal_point_width": area.width, "focal_point_height": area.height]) { $1 }
        let (percentX, percentY) = (Self.hundredths(focus.x), Self.hundredths(focus.y))
        payload = ["focalX": percentX, "focalY": percentY]
        strapi = ["focalPoint": ["x": percentX, "y": percentY]]
        css = "object-fit: cover; object-position: \(Self.position(of: crop, in: size, focus))"
        imgix = "fit=crop&crop=focalpoint&fp-x=\(x)&fp-y=\(y)"
        imgproxy = "g:fp:\(x):\(y)"
        sanity = [
            "hotspot": [
                "x": focus.x,
                "y": focus.y,
                "width": FocalPoint.rounded(Double(area.width), of: size.width),
                "height": FocalPoint.rounded(Double(area.height), of: size.height),
            ]
        ]
        thumbor = "filters:focal(\(area.x)x\(area.y):\(area.maxX)x\(area.maxY))"
        wordpress = ["focalPoint": focus]
    }

    /// The coordinates of the point as texts, from 0 to 1.
    package var point: (x: String, y: String) { (PlanDocument.plain(focus.x), PlanDocument.plain(focus.y)) }

    /// Returns the CSS position of the widest crop around the point with the aspect ratio.
    ///
    /// Without an aspect ratio, returns the point itself, which approximately suits every aspect ratio.
    private static func position(of crop: FramePlan.Crop, in size: PixelSize, _ focus: FocalPoint) -> String {
        guard let widest = crop.aspect?.widestCrop(in: size) else {
            return "\(PlanDocument.percent(hundredths(focus.x))) \(PlanDocument.percent(hundredths(focus.y)))"
        }
        let area = crop.focalArea
        func start(_ middle: Int, _ length: Int, _ whole: Int) -> Int {
            min(max(middle - length / 2, 0), whole - length)
        }
        let anchored = PixelRect(
            x: start(area.x + area.width / 2, widest.width, size.width),
            y: start(area.y + area.height / 2, widest.height, size.height),
            width: widest.width,
            height: widest.height
        )
        let position = ObjectPosition(of: anchored, in: size)
        return "\(PlanDocument.percent(position.x)) \(PlanDocument.percent(position.y))"
    }

    /// Formats a fraction, such as 0.3100.
    private static func fourDigits(_ share: Double) -> String {
        let digits = "\(10_000 + Int((share * 10_000).rounded()))".dropFirst()
        return share >= 1 ? "1.0000" : "0.\(digits)"
    }

    private static func hundredths(_ share: Double) -> Double { (share * 10_000).rounded() / 100 }
}

/// The point of an image, with coordinates from 0 to 1, around which another service crops to keep the subject.
///
/// It is the centre of the rectangle around the kept heads and focal areas or, without any, the centre of the crop. If
/// a crop is at least as large as this rectangle and centred on it, it contains the rectangle, even after the crop is
/// moved into the image. A crop with the same aspect ratio at this point therefore keeps the same heads.
struct FocalPoint: Encodable {
    /// The fraction of the width to the left of the point, to four digits.
    let x: Double
    /// The fraction of the height above the point, to four digits.
    let y: Double

    /// Creates the focal point of a crop in an image of the given size.
    init(of crop: FramePlan.Crop, in size: PixelSize) {
        let area = crop.focalArea
        x = Self.rounded(Double(area.x) + Double(area.width) / 2, of: size.width)
        y = Self.rounded(Double(area.y) + Double(area.height) / 2, of: size.height)
    }

    /// Converts a length to a fraction of a side, rounded to four digits.
    ///
    /// The fraction is then never written with an exponent.
    static func rounded(_ length: Double, of side: Int) -> Double {
        (length / Double(side) * 10_000).rounded() / 10_000
    }
}

extension FramePlan.Crop {
    /// The rectangle around the subject: the kept heads and focal areas, or the crop if there are none.
    var focalArea: PixelRect { subjectArea ?? rect }
}

/// The CSS `object-position` that makes a browser crop the whole image.
package struct ObjectPosition: Hashable, Codable, Sendable {
    /// The fraction of the horizontal slack to the left of the crop, in percent; 50 without slack.
    package let x: Double
    /// The fraction of the vertical slack above the crop, in percent; 50 without slack.
    package let y: Double
}

extension ObjectPosition {
    /// Creates the position of `crop` in an image of the given size (CSS Images 3, §5.5: percentages of the slack).
    ///
    /// With `object-fit: cover`, the browser shows the same area if the crop is the largest crop with its aspect ratio.
    package init(of crop: PixelRect, in size: PixelSize) {
        x = Self.percent(before: crop.x, slack: size.width - crop.width)
        y = Self.percent(before: crop.y, slack: size.height - crop.height)
    }

    /// Creates the position of a crop or a letterboxed image in an image of the given size.
    ///
    /// Requires `object-fit: cover` for a crop, and `object-fit: contain` for a whole image with bars.
    package init(of crop: PixelRect, letterbox: Letterbox?, in size: PixelSize) {
        if let letterbox, crop == PixelRect(size) {
            self.init(x: letterbox.left * 100, y: letterbox.above * 100)
        } else {
            self.init(of: crop, in: size)
        }
    }

    private static func percent(before: Int, slack: Int) -> Double {
        slack > 0 ? (Double(before) / Double(slack) * 10_000).rounded() / 100 : 50
    }
}
