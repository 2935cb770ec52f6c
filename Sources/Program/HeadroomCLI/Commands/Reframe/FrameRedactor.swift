#if Video
import Framing
import Geometry
import Imaging
import Motion
import Pipeline
import Requests
import Video

/// Redacts heads and areas in the frames of a video.
struct FrameRedactor {
    private let redaction: Redaction
    private let fps: Double
    private var masks: MovingMasks

    /// A redactor of upright frames of a size, at `fps` frames per second; nil without a redaction.
    ///
    /// The `people` of a plan and the people in the settings stay visible. The plan's sightings locate its people.
    init?(_ settings: ReframeSettings, visible people: [PlannedPerson], size: PixelSize, fps: Double) {
        guard let redaction = settings.redaction else { return nil }
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
        masks = MovingMasks(except: settings.visible.map { $0.exception(in: size) } + seen)
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

/// A person in a video who stays visible, identified by a point in the head at a given time.
///
/// The point is in fractions of the frame's sides.
struct VisiblePerson: Hashable {
    static let maximum = 256

    let x: Double
    let y: Double
    /// Seconds from the first frame.
    let seconds: Double

    /// `x,y` or `x,y@seconds`; nil if the point is outside the frame or the time is negative.
    init?(_ text: Substring) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let place = parts[0].split(separator: ",", omittingEmptySubsequences: false)
            .map { Double(plainDecimal: String($0)) }
        guard place.count == 2, let x = place[0], let y = place[1], (0...1).contains(x), (0...1).contains(y),
            let seconds = parts.count == 1 ? 0 : Double(plainDecimal: String(parts[1])), (0...1e6).contains(seconds)
        else { return nil }
        (self.x, self.y, self.seconds) = (x, y, seconds)
    }

    /// The number of `person:N`; nil for other text.
    static func number(_ text: Substring) -> Int? {
        guard text.hasPrefix("person:") else { return nil }
        return Int(plainDigits: String(text.dropFirst("person:".count))).flatMap {
            (1...1_000_000).contains($0) ? $0 : nil
        }
    }

    fileprivate func exception(in size: PixelSize) -> MovingMasks.Exception {
        let point = PixelPoint(x: x * Double(size.width), y: y * Double(size.height))
        return MovingMasks.Exception(seconds: seconds, point: point)
    }
}

/// Redacts heads and areas in the frames of a video after a first reading has found all heads.
struct KnownRedaction {
    private var redactor: FrameRedactor
    private let heads: [[RedactedHead]]
    private let cuts: Set<Int>
    private var added = 0
    private var taken = 0
    /// The number of later frames whose heads affect a frame.
    private let ahead: Int

    init?(_ redactor: FrameRedactor?, heads: [[RedactedHead]], cuts: [Int], fps: Double) {
        guard let redactor else { return nil }
        self.redactor = redactor
        self.heads = heads
        self.cuts = Set(cuts)
        ahead = Int(((MovingMasks.maxGap + 1) * fps).rounded(.up))
    }

    mutating func next(_ frame: RawFrame) throws -> RawFrame {
        while added < heads.count, added <= taken + ahead {
            redactor.add(heads[added], isCut: cuts.contains(added))
            added += 1
        }
        taken += 1
        return try redactor.next(frame)
    }
}
#endif
