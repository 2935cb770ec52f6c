import Framing
import Imaging
import Motion
import Pipeline

/// Plans and writes the results of a video that is read once.
struct LiveReframe {
    /// A frame that was read.
    private struct Waiting {
        let number: Int
        let picture: RawFrame
        let thumbnail: Thumbnail
        let isSearched: Bool
    }

    private let results: [ReframeResult]
    private let threads: DetectionThreads
    private var planners: [LivePlanner]
    private var schedule: SampleSchedule
    /// Frames whose search may still run.
    private var searching: [Waiting] = []
    /// Frames whose crops are not known yet.
    private var planning: [RawFrame] = []
    private var frames = 0
    private let mostSearching: Int
    /// Nil if the motion of lips is not wanted.
    private var recent: RecentFrames?
    private var redactor: FrameRedactor?

    init(
        _ results: [ReframeResult],
        _ threads: DetectionThreads,
        _ redactor: FrameRedactor?,
        fps: Double,
        lookAhead: Int
    ) {
        self.results = results
        self.threads = threads
        self.redactor = redactor
        // A part of the look-ahead hides the time of searches, which run on other threads meanwhile.
        mostSearching = lookAhead / 4
        planners = results.map { [mostSearching] in LivePlanner($0.request, lookAhead: lookAhead - mostSearching) }
        schedule = SampleSchedule(fps: fps)
        recent = results.contains { $0.request.layout == .hold } ? RecentFrames(fps: fps) : nil
    }

    /// Adds the next frame, and writes those whose crops are known now.
    mutating func add(_ frame: RawFrame) throws {
        let thumbnail = frame.thumbnail
        let isSearched = schedule.isDue(frames, thumbnail)
        recent?.add(frame, mayBeCut: schedule.mayBeCut)
        if isSearched || redactor?.needsHeads == true {
            threads.submit(frames, frame, isSearched: isSearched, before: recent?.before)
        }
        searching.append(Waiting(number: frames, picture: frame, thumbnail: thumbnail, isSearched: isSearched))
        frames += 1
        if searching.count > mostSearching { try planFirst() }
    }

    /// Writes the frames that are left.
    mutating func finish() throws {
        while !searching.isEmpty { try planFirst() }
        try write(planners.indices.map { planners[$0].finish() })
    }

    private mutating func planFirst() throws {
        let first = searching.removeFirst()
        planning.append(first.picture)
        var result: VideoFrameStage.Result?
        if first.isSearched || redactor?.needsHeads == true { result = try threads.result(first.number) }
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
