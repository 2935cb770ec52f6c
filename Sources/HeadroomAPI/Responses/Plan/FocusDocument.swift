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

    /// The attribute of WordPress's Cover block.
    struct WordPress: Encodable {
        var focalPoint: FocalPoint
    }

    var source: PlanDocument.Source
    var decision: String
    var focus: FocalPoint
    var cloudflare: String
    var cloudinary: String
    var css: String
    var imgix: String
    var imgproxy: String
    var sanity: Sanity
    var thumbor: String
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

    private static func hundredths(_ share: Double) -> Double { (share * 10_000).rounded() / 100 }
}
