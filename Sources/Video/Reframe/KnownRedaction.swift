import Imaging
import Pipeline

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
