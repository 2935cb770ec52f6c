import Imaging
import Motion
import Pipeline

/// Which frames are searched: those that may begin a shot, and one every fifth of a second.
struct SampleSchedule {
    /// Seconds between searched frames, in which people move by less than a head.
    static let interval = 0.2

    private var detector: ShotDetector
    private var due = 0
    private let step: Int

    init(fps: Double) {
        detector = ShotDetector(fps: fps, mostDelay: 0)
        step = max(1, Int((Self.interval * fps).rounded()))
    }

    /// Whether the next frame is searched.
    mutating func isDue(_ frame: Int, _ thumbnail: Thumbnail) -> Bool {
        let mayBeCut = detector.add(thumbnail)
        _ = detector.starts()
        guard mayBeCut || frame >= due else { return false }
        due = frame + step
        return true
    }
}

extension RawFrame {
    /// The frame's thumbnail.
    var thumbnail: Thumbnail { Thumbnail(grid(columns: Thumbnail.width, rows: Thumbnail.height)) }
}

extension FaceSample {
    /// The result of a search as input of the planner.
    init(frame: Int, _ result: VideoFrameStage.Result) {
        let faces = result.sure.map { FaceSighting($0) } + result.doubtful.map { FaceSighting($0, isSure: false) }
        self.init(frame: frame, faces: faces, attention: result.attention)
    }
}
