import Framing
import Geometry
import Imaging
import Motion
import Pipeline
import Workers

/// Plans and renders the frames of one stream, each when it comes.
struct FrameReframer {
    /// The result of one frame.
    struct Result {
        let plan: PlannedFrame
        let source: PixelSize
        /// The JPEG; empty for a plan.
        let bytes: [UInt8]
    }

    private static let grid = PixelSize(width: Thumbnail.width, height: Thumbnail.height)

    private let request: StreamRequest
    private let service: FrameService
    private let maxDelay: Duration
    private var planner: LivePlanner?
    private var motion: MotionRequest?
    private var search = LiveSearch(fps: StreamRequest.fps)
    private var last: ContinuousClock.Instant?
    private var seconds = 0.0

    init(_ request: StreamRequest, _ service: FrameService, maxDelay: Duration) {
        self.request = request
        self.service = service
        self.maxDelay = maxDelay
    }

    /// Plans and renders a frame.
    ///
    /// - Throws: `PipelineError` if the frame cannot be decoded, or no worker is free in time; the next frame may follow.
    mutating func reframe(_ arrival: FrameInbox.Arrival) async throws(PipelineError) -> Result {
        let deadline = arrival.time + maxDelay
        let elapsed = last.map { min(max(0, (arrival.time - $0) / .seconds(1)), 1) } ?? 0
        last = arrival.time
        seconds += elapsed
        let (answer, isSearched) = try await analyse(arrival.frame.bytes, by: deadline)
        var (planner, motion) = begun(for: answer.size)
        let thumbnail = Thumbnail(answer.grid)
        let sample = isSearched ? FaceSample(answer) : nil
        let planned = planner.add(thumbnail, sample: sample, seconds: elapsed)
        (self.planner, self.motion) = (planner, motion)
        guard let plan = planned.last else { throw .cancelled }
        guard !request.isPlan else { return Result(plan: plan, source: answer.size, bytes: []) }
        let widest = SlidingCrop(motion.aspect, in: motion.size)
        let task = VideoJob.Task.render(
            plan.crop,
            to: request.resultSize(widest: (widest.width, widest.height)),
            quality: request.quality
        )
        let rendered = try await service.answer(to: VideoJob(arrival.frame.bytes, task), by: deadline)
        return Result(plan: plan, source: answer.size, bytes: rendered.bytes)
    }

    /// The planner for frames of a size; a new one if the size has changed.
    private func begun(for size: PixelSize) -> (LivePlanner, MotionRequest) {
        if let planner, let motion, motion.size == size { return (planner, motion) }
        let motion = request.motion(in: size)
        return (LivePlanner(motion, lookAhead: 0), motion)
    }

    /// The analysis of a frame, and whether it was searched for faces.
    private mutating func analyse(
        _ bytes: [UInt8],
        by deadline: ContinuousClock.Instant
    ) async throws(PipelineError) -> (answer: VideoAnswer, isSearched: Bool) {
        var extent = request.isSearched ? search.extent(at: seconds) : .none
        var answer = try await analyse(bytes, extent, by: deadline)
        let mayBeCut = search.mayBeCut(Thumbnail(answer.grid))
        if mayBeCut, request.isSearched, extent != .whole {
            extent = .whole
            answer = try await analyse(bytes, extent, by: deadline)
        }
        search.found(answer.faces.filter(\.isSure).map(\.subject.face), in: extent, at: seconds)
        return (answer, extent != .none)
    }

    private func analyse(
        _ bytes: [UInt8],
        _ extent: LiveSearch.Extent,
        by deadline: ContinuousClock.Instant
    ) async throws(PipelineError) -> VideoAnswer {
        let part: VideoJob.Search =
            switch extent {
            case .none: .none
            case .whole: .whole(smallestFace: request.smallestFace)
            case .near(let faces): .near(Array(faces.prefix(VideoJob.mostNear)))
            }
        return try await service.answer(to: VideoJob(bytes, .analyse(grid: Self.grid, part)), by: deadline)
    }
}

extension FaceSample {
    /// The result of a search of the next frame.
    fileprivate init(_ answer: VideoAnswer) {
        self.init(
            frame: 0,
            faces: answer.faces.map { FaceSighting($0.subject, isSure: $0.isSure) },
            attention: answer.attention
        )
    }
}
