import Imaging
import Motion
import Pipeline

/// Which frames are searched: those that may begin a shot, and one every fifth of a second.
struct SampleSchedule {
    /// Seconds between searched frames, in which people move by less than a head.
    static let interval = 0.2

    private var detector: ShotDetector
    private var due = 0
    /// Whether the last frame may begin a shot.
    private(set) var mayBeCut = false
    private let step: Int

    init(fps: Double) {
        detector = ShotDetector(fps: fps, mostDelay: 0)
        step = max(1, Int((Self.interval * fps).rounded()))
    }

    /// Whether the next frame is searched.
    mutating func isDue(_ frame: Int, _ thumbnail: Thumbnail) -> Bool {
        mayBeCut = detector.add(thumbnail)
        _ = detector.starts()
        guard mayBeCut || frame >= due else { return false }
        due = frame + step
        return true
    }
}

/// The frames just before the newest one, in which the motion of lips is seen.
struct RecentFrames {
    /// Seconds between the frames that are compared: about half a syllable.
    private static let interval = 0.08
    /// Frames that are compared with the newest one.
    private static let count = 2

    private let step: Int
    private var frames: [RawFrame] = []

    init(fps: Double) { step = max(1, Int((Self.interval * fps).rounded())) }

    /// Adds the next frame; those before a cut show other people.
    mutating func add(_ frame: RawFrame, mayBeCut: Bool) {
        if mayBeCut { frames = [] }
        frames.append(frame)
        if frames.count > Self.count * step + 1 { frames.removeFirst() }
    }

    /// Frames before the newest one, in their order.
    var before: [RawFrame] {
        (1...Self.count).reversed().compactMap { number in
            let index = frames.count - 1 - number * step
            return index >= 0 ? frames[index] : nil
        }
    }
}

extension RawFrame {
    /// The frame's thumbnail.
    var thumbnail: Thumbnail { Thumbnail(grid(columns: Thumbnail.width, rows: Thumbnail.height)) }
}

extension FaceSample {
    /// The result of a search as input of the planner.
    init(frame: Int, _ result: VideoFrameStage.Result) {
        let faces =
            result.sure.enumerated().map { index, subject in
                FaceSighting(subject, lips: index < result.lips.count ? result.lips[index] : nil)
            }
            + result.doubtful.map { FaceSighting($0, isSure: false) }
        self.init(frame: frame, faces: faces, attention: result.attention)
    }
}
