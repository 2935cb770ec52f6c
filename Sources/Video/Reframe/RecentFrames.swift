import Imaging

/// The newest frame and the preceding frames, for the motion of lips.
struct RecentFrames {
    /// Seconds between the compared frames: about half a syllable.
    private static let interval = 0.08
    /// The number of frames that are compared with the newest frame.
    private static let count = 2

    private let step: Int
    private var frames: [RawFrame] = []

    init(fps: Double) { step = max(1, Int((Self.interval * fps).rounded())) }

    /// Adds the next frame; a possible cut drops all earlier frames, which show other people.
    mutating func add(_ frame: RawFrame, mayBeCut: Bool) {
        if mayBeCut { frames = [] }
        frames.append(frame)
        if frames.count > Self.count * step + 1 { frames.removeFirst() }
    }

    /// Up to two frames before the newest frame, oldest first.
    var before: [RawFrame] {
        (1...Self.count).reversed().compactMap { number in
            let index = frames.count - 1 - number * step
            return index >= 0 ? frames[index] : nil
        }
    }
}
