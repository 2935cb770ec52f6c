#if Video
import Framing
import Imaging
import Motion
import Pipeline
import Video

/// Plans and writes the results of a video that is read once.
struct LiveReframe {
    private struct Waiting {
        let number: Int
        let image: RawFrame
        let thumbnail: Thumbnail
        let isSearched: Bool
    }

    private let results: [ReframeResult]
    private let searches: FrameSearches
    private var planners: [LivePlanner]
    private var schedule: SampleSchedule
    /// Frames whose search may still run.
    private var searching: [Waiting] = []
    /// Frames without a planned crop.
    private var planning: [RawFrame] = []
    private var frames = 0
    private let maxSearching: Int
    /// The recent frames, for the motion of lips; nil if it is not measured.
    private var recent: RecentFrames?
    private var redactor: FrameRedactor?

    init(
        _ results: [ReframeResult],
        _ searches: FrameSearches,
        _ redactor: FrameRedactor?,
        fps: Double,
        lookAhead: Int
    ) {
        self.results = results
        self.searches = searches
        self.redactor = redactor
        // Searches run on other threads and get a quarter of the look-ahead. Planners get the rest.
        maxSearching = lookAhead / 4
        planners = results.map { [maxSearching] in LivePlanner($0.request, lookAhead: lookAhead - maxSearching) }
        schedule = SampleSchedule(fps: fps)
        recent = results.contains { $0.request.layout == .hold } ? RecentFrames(fps: fps) : nil
    }

    /// Adds the next frame, and writes the frames that now have a planned crop.
    mutating func add(_ frame: RawFrame) async throws {
        let thumbnail = frame.thumbnail
        let isSearched = schedule.isDue(frames, thumbnail)
        recent?.add(frame, mayBeCut: schedule.mayBeCut)
        if isSearched || redactor?.needsHeads == true {
            await searches.submit(frames, frame, isSearched: isSearched, before: recent?.before)
        }
        searching.append(Waiting(number: frames, image: frame, thumbnail: thumbnail, isSearched: isSearched))
        frames += 1
        if searching.count > maxSearching { try await planFirst() }
    }

    mutating func finish() async throws {
        while !searching.isEmpty { try await planFirst() }
        try write(planners.indices.map { planners[$0].finish() })
    }

    private mutating func planFirst() async throws {
        let first = searching.removeFirst()
        planning.append(first.image)
        var result: VideoFrameStage.Result?
        if first.isSearched || redactor?.needsHeads == true { result = try await searches.result(first.number) }
        redactor?.add(result?.heads ?? [])
        let sample = first.isSearched ? result.map { FaceSample(frame: first.number, $0) } : nil
        try write(planners.indices.map { planners[$0].add(first.thumbnail, sample: sample) })
    }

    private mutating func write(_ planned: [[PlannedFrame]]) throws {
        guard let count = planned.first?.count else { return }
        for index in 0..<count {
            var frame = planning.removeFirst()
            frame = try redactor?.next(frame) ?? frame
            for (result, crops) in zip(results, planned) { try result.write(crops[index], frame) }
        }
    }
}

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

extension RawFrame {
    var thumbnail: Thumbnail { Thumbnail(grid(columns: Thumbnail.width, rows: Thumbnail.height)) }
}

extension FaceSample {
    init(frame: Int, _ result: VideoFrameStage.Result) {
        let faces =
            result.sure.enumerated().map { index, subject in
                FaceSighting(subject, lips: index < result.lips.count ? result.lips[index] : nil)
            }
            + result.doubtful.map { FaceSighting($0, isSure: false) }
            + result.cutPeople.map { FaceSighting($0, isSure: false, isEstimated: true) }
        self.init(frame: frame, faces: faces, attention: result.attention)
    }
}
#endif
