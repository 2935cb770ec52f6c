import Encodings
import Geometry
import HeadroomAPI
import Imaging
import Pipeline
import Requests
import UntrustedText

/// The object `thumbor` in the JSON of `meta`, in the form of thumbor's `JSONEngine`.
struct ThumborMeta: Encodable {
    private struct Source: Encodable {
        let url: String
        let width, height, frameCount: Int
    }

    private struct Operation: Encodable {
        let type: String
        var left, top, right, bottom, width, height: Int?

        init(_ type: String) { self.type = type }

        init(crop: PixelRect, of outer: PixelRect) {
            self.init("crop")
            (left, top) = (crop.x - outer.x, crop.y - outer.y)
            (right, bottom) = (crop.maxX - outer.x, crop.maxY - outer.y)
        }

        init(resize size: PixelSize) {
            self.init("resize")
            (width, height) = (size.width, size.height)
        }
    }

    private struct Point: Encodable {
        let x, y, z, width, height: Double
        let origin: String
    }

    private let source: Source
    private let operations: [Operation]
    private let target: PixelSize
    private let focal_points: [Point]

    /// The JSON for a plan; faces are focal points only with `smart`.
    init(_ plan: FramePlan, source: String, mirrors: [String], isSmart: Bool) {
        let whole = PixelRect(plan.source.size)
        let crop = plan.crops.first?.rect ?? plan.area
        let output = plan.crops.first?.output ?? plan.area.size
        var operations: [Operation] = []
        if plan.area != whole { operations.append(Operation(crop: plan.area, of: whole)) }
        if crop != plan.area { operations.append(Operation(crop: crop, of: plan.area)) }
        if crop.size != output { operations.append(Operation(resize: output)) }
        operations += mirrors.map(Operation.init)
        self.operations = operations
        // thumbor reports the size of the result as the size of the source.
        self.source = Source(
            url: PercentEncoding.encoded(source).bytes.replacing("%2F", with: "/"),
            width: output.width,
            height: output.height,
            frameCount: plan.source.animation?.frames ?? 1
        )
        target = output
        focal_points = Self.points(plan, isSmart: isSmart)
    }

    /// The centres of faces inside the area, measured from its corner as in thumbor; without faces, the centre of the
    /// area.
    private static func points(_ plan: FramePlan, isSmart: Bool) -> [Point] {
        let size = (width: Double(plan.area.width), height: Double(plan.area.height))
        let faces = (isSmart ? plan.faces : []).compactMap { face -> Point? in
            let x = Double(face.box.x - plan.area.x) + Double(face.box.width) / 2
            let y = Double(face.box.y - plan.area.y) + Double(face.box.height) / 2
            guard x >= 0, x <= size.width, y >= 0, y <= size.height else { return nil }
            return Point(
                x: x,
                y: y,
                z: Double(face.box.area),
                width: Double(face.box.width),
                height: Double(face.box.height),
                origin: "Face Detection"
            )
        }
        guard faces.isEmpty else { return faces }
        return [Point(x: size.width / 2, y: size.height / 2, z: 1, width: 1, height: 1, origin: "alignment")]
    }
}
