import Motion

/// Selects the frames to search: frames that may start a shot, and one frame every ``interval`` seconds.
struct SampleSchedule {
    /// Seconds between searched frames.
    ///
    /// In this time, people move by less than a head.
    static let interval = 0.2

    private var detector: ShotDetector
    private var due = 0
    /// Whether the last frame may start a shot.
    private(set) var mayBeCut = false
    private let step: Int

    init(fps: Double) {
        detector = ShotDetector(fps: fps, maxDelay: 0)
        step = max(1, Int((Self.interval * fps).rounded()))
    }

    /// Whether the next frame should be searched; must be called for every frame in order.
    mutating func isDue(_ frame: Int, _ thumbnail: Thumbnail) -> Bool {
        mayBeCut = detector.add(thumbnail)
        _ = detector.starts()
        guard mayBeCut || frame >= due else { return false }
        due = frame + step
        return true
    }
}
