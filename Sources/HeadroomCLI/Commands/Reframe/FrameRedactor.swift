import Imaging
import Pipeline

/// Hides heads and areas in the frames of a video.
struct FrameRedactor {
    private let redaction: Redaction
    private let fps: Double
    private var masks = MovingMasks()

    /// A redactor before the first frame; nil if nothing is hidden.
    init?(_ redaction: Redaction?, fps: Double) {
        guard let redaction else { return nil }
        self.redaction = redaction
        self.fps = fps
    }

    /// Whether heads are hidden, and not areas alone.
    var needsHeads: Bool { redaction.faces != .none }

    /// Adds the heads of the next frame.
    mutating func add(_ heads: [RedactedHead], isCut: Bool = false) {
        if needsHeads { masks.add(heads, seconds: 1 / fps, isCut: isCut) }
    }

    /// The oldest frame that was not taken yet, as results may show it, by what is known of the frames added so far.
    mutating func next(_ frame: RawFrame) throws -> RawFrame {
        let heads = needsHeads ? masks.next() : []
        return try FrameCover(redaction, heads: heads, size: frame.size).applied(to: frame)
    }
}

/// Hides heads and areas in the frames of a video whose heads are all known.
struct KnownRedaction {
    private var redactor: FrameRedactor
    /// The heads of all frames.
    private let heads: [[RedactedHead]]
    private let cuts: Set<Int>
    private var added = 0
    private var taken = 0
    /// Frames beyond which those to come change nothing.
    private let ahead: Int

    init?(_ redaction: Redaction?, heads: [[RedactedHead]], cuts: [Int], fps: Double) {
        guard let redactor = FrameRedactor(redaction, fps: fps) else { return nil }
        self.redactor = redactor
        self.heads = heads
        self.cuts = Set(cuts)
        ahead = Int(((MovingMasks.longestGap + 1) * fps).rounded(.up))
    }

    /// The next frame, as results may show it.
    mutating func next(_ frame: RawFrame) throws -> RawFrame {
        while added < heads.count, added <= taken + ahead {
            redactor.add(heads[added], isCut: cuts.contains(added))
            added += 1
        }
        taken += 1
        return try redactor.next(frame)
    }
}
