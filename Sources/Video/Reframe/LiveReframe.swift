import Framing
import Imaging
import Motion
import Pipeline

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
        planners = results.map { [maxSearching] in LivePlanner($0.motion, lookAhead: lookAhead - maxSearching) }
        schedule = SampleSchedule(fps: fps)
        recent = results.contains { $0.motion.layout == .hold } ? RecentFrames(fps: fps) : nil
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
