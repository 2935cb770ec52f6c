import Framing
import Geometry
import Imaging
import Motion
import Pipeline
import Requests

/// Redacts heads and areas in the frames of a video.
struct FrameRedactor {
    private let redaction: Redaction
    private let fps: Double
    private var masks: MovingMasks

    /// A redactor of upright frames of a size, at `fps` frames per second; nil without a redaction.
    ///
    /// The `people` of a plan and the people of the request stay visible. The plan's sightings locate its people.
    init?(_ request: ReframeRequest, visible people: [PlannedPerson], size: PixelSize, fps: Double) {
        guard let redaction = request.redaction else { return nil }
        self.redaction = redaction
        self.fps = fps
        let seen = people.flatMap { person in
            person.sightings.map { frame, sighting in
                let face = sighting.subject.face
                let middle = PixelPoint(
                    x: Double(face.x) + Double(face.width) / 2,
                    y: Double(face.y) + Double(face.height) / 2
                )
                return MovingMasks.Exception(seconds: Double(frame) / fps, point: middle)
            }
        }
        masks = MovingMasks(except: request.visible.map { $0.exception(in: size) } + seen)
    }

    /// Whether heads are redacted, not only areas.
    var needsHeads: Bool { redaction.faces != .none }

    mutating func add(_ heads: [RedactedHead], isCut: Bool = false) {
        if needsHeads { masks.add(heads, seconds: 1 / fps, isCut: isCut) }
    }

    /// Redacts heads and areas in a frame.
    ///
    /// Must be called once per frame, in the order of ``add(_:isCut:)``. Heads of later frames that were already added
    /// are taken into account.
    mutating func next(_ frame: RawFrame) throws -> RawFrame {
        let heads = needsHeads ? masks.next() : []
        return try FrameCover(redaction, heads: heads, size: frame.size).applied(to: frame)
    }
}
