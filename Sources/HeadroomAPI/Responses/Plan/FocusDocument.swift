import Framing
import Geometry
package import Pipeline

/// The focal point of a picture, and the same point as other services take it.
///
/// Coordinates are of the upright picture, origin at the top left.
package struct FocusDocument: Encodable, Sendable {
    /// `hotspot` and `crop` of an image in Sanity, in shares.
    struct Sanity: Encodable {
        struct Hotspot: Encodable {
            /// The middle.
            var x: Double
            var y: Double
            var width: Double
            var height: Double
        }

        var hotspot: Hotspot
    }

    /// The columns of a file in Directus, in pixels.
    struct Directus: Encodable {
        // Their names there.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var focal_point_x: Int
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var focal_point_y: Int
    }

    /// The fields of an upload in Payload, in percent.
    struct Payload: Encodable {
        var focalX: Double
        var focalY: Double
    }

    /// The attribute of a file in Strapi, in percent.
    struct Strapi: Encodable {
        struct Point: Encodable {
            var x: Double
            var y: Double
        }

        var focalPoint: Point
    }

    /// The columns of an image in Wagtail, in pixels: the middle and the size.
    struct Wagtail: Encodable {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var focal_point_x: Int
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var focal_point_y: Int
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var focal_point_width: Int
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var focal_point_height: Int
    }

    /// The attribute of WordPress's Cover block.
    struct WordPress: Encodable {
        var focalPoint: FocalPoint
    }

    var source: PlanDocument.Source
    var decision: String
    var focus: FocalPoint
    var cloudflare: String
    var cloudinary: String
    /// The column of an asset in Craft: shares with four digits.
    var craft: String
    var css: String
    var directus: Directus
    var imgix: String
    var imgproxy: String
    var payload: Payload
    var sanity: Sanity
    var strapi: Strapi
    var thumbor: String
    var wagtail: Wagtail
    var wordpress: WordPress

    /// The focal point of a plan's first crop; nil without crops.
    package init?(_ plan: FramePlan) {
        guard let crop = plan.crops.first else { return nil }
        let (size, area) = (plan.source.size, crop.focalArea)
        let focus = FocalPoint(of: crop, in: size)
        source = PlanDocument.Source(plan.source)
        decision = crop.decision.description
        self.focus = focus
        let (x, y) = (PlanDocument.plain(focus.x), PlanDocument.plain(focus.y))
        cloudflare = "fit=cover,gravity=\(x)x\(y)"
        cloudinary = "c_fill,g_xy_center,x_\(area.x + area.width / 2),y_\(area.y + area.height / 2)"
        craft = "\(Self.fourDigits(focus.x));\(Self.fourDigits(focus.y))"
        let (middleX, middleY) = (area.x + area.width / 2, area.y + area.height / 2)
        directus = Directus(focal_point_x: middleX, focal_point_y: middleY)
        wagtail = Wagtail(
            focal_point_x: middleX,
            focal_point_y: middleY,
            focal_point_width: area.width,
            focal_point_height: area.height
        )
        let (percentX, percentY) = (Self.hundredths(focus.x), Self.hundredths(focus.y))
        payload = Payload(focalX: percentX, focalY: percentY)
        strapi = Strapi(focalPoint: .init(x: percentX, y: percentY))
        css = "object-fit: cover; object-position: \(Self.position(of: crop, in: size, focus))"
        imgix = "fit=crop&crop=focalpoint&fp-x=\(x)&fp-y=\(y)"
        imgproxy = "g:fp:\(x):\(y)"
        sanity = Sanity(
            hotspot: .init(
                x: focus.x,
                y: focus.y,
                width: FocalPoint.rounded(Double(area.width), of: size.width),
                height: FocalPoint.rounded(Double(area.height), of: size.height)
            )
        )
        thumbor = "filters:focal(\(area.x)x\(area.y):\(area.maxX)x\(area.maxY))"
        wordpress = WordPress(focalPoint: focus)
    }

    /// The point, from 0 to 1, as text.
    package var point: (x: String, y: String) { (PlanDocument.plain(focus.x), PlanDocument.plain(focus.y)) }

    /// The CSS position of the widest crop of the shape around the point; without a shape, the point itself, which suits
    /// every shape approximately.
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

    /// A share such as 0.3100.
    private static func fourDigits(_ share: Double) -> String {
        let digits = "\(10_000 + Int((share * 10_000).rounded()))".dropFirst()
        return share >= 1 ? "1.0000" : "0.\(digits)"
    }

    private static func hundredths(_ share: Double) -> Double { (share * 10_000).rounded() / 100 }
}
