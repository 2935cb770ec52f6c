import Framing
import Geometry
import Imaging
import Motion
import Pipeline
import Workers

/// Plans and renders the frames of one stream, each after its look-ahead has passed.
struct FrameReframer {
    /// A frame with a planned crop.
    struct Planned {
        /// The source; empty for a plan.
        let jpeg: [UInt8]
        let arrival: ContinuousClock.Instant
        let plan: PlannedFrame
        let motion: MotionRequest
        /// The areas to redact; nil for none.
        let cover: FrameCover?
    }

    struct Result {
        let plan: PlannedFrame
        let source: PixelSize
        /// The JPEG; empty for a plan.
        let bytes: [UInt8]
    }

    private static let grid = PixelSize(width: Thumbnail.width, height: Thumbnail.height)

    private let request: StreamRequest
    private let service: WorkerService
    private let limits: JobLimits
    private let maxDelay: Duration
    private var planner: LivePlanner?
    private var motion: MotionRequest?
    private var search = LiveSearch(fps: StreamRequest.fps)
    private var last: ContinuousClock.Instant?
    private var seconds = 0.0
    /// The frames without a planned crop; nil for a frame that is not shown.
    private var waiting: [(jpeg: [UInt8], arrival: ContinuousClock.Instant)?] = []
    private var waitingBytes = 0
    private var masks = MovingMasks()
    /// The mouths of the last search.
    private var mouths: [(face: PixelRect, mouth: MouthPatch)] = []

    init(_ request: StreamRequest, _ service: WorkerService, _ limits: JobLimits, maxDelay: Duration) {
        self.request = request
        self.service = service
        self.limits = limits
        self.maxDelay = maxDelay
    }

    /// Adds a frame.
    ///
    /// - Returns: The frames with planned crops. Nil represents a frame that is not shown, because it was too large to
    ///   wait.
    /// - Throws: `PipelineError` if the frame cannot be decoded, or if no worker is free in time. The caller may then
    ///   add the next frame.
    mutating func add(_ arrival: FrameInbox.Arrival) async throws(PipelineError) -> [Planned?] {
        if let pause = limits.pause?() { throw .overloaded(retryAfter: pause) }
        let deadline = arrival.time + maxDelay
        let elapsed = last.map { min(max(0, (arrival.time - $0) / .seconds(1)), 1) } ?? 0
        last = arrival.time
        seconds += elapsed
        let (result, isSearched) = try await analyse(arrival.frame.bytes, by: deadline)
        var known: [Planned?] = []
        if motion?.size != result.size {
            known = finish()
            let motion = request.motion(in: result.size)
            (planner, self.motion) = (LivePlanner(motion, lookAhead: request.lookAhead), motion)
            masks = MovingMasks()
            mouths = []
        }
        if request.redactsHeads { masks.add(result.heads, seconds: elapsed) }
        let jpeg = request.isPlan ? [] : arrival.frame.bytes
        let isShown = request.lookAhead == 0 || jpeg.count <= StreamConfiguration.maxWaitingBytes - waitingBytes
        waiting.append(isShown ? (jpeg, arrival.time) : nil)
        waitingBytes += isShown ? jpeg.count : 0
        let sample = isSearched ? FaceSample(result, lips: lips(result)) : nil
        return known + take(planner?.add(Thumbnail(result.grid), sample: sample, seconds: elapsed) ?? [])
    }

    /// The frames that still wait after the last frame was added.
    mutating func finish() -> [Planned?] { take(planner?.finish() ?? []) }

    /// Removes the oldest waiting frames, one for each of the given plans.
    private mutating func take(_ plans: [PlannedFrame]) -> [Planned?] {
        plans.map { plan in
            // Masks are taken even for a frame that is not shown, so that masks and frames stay in step.
            let heads = request.redactsHeads ? masks.next() : []
            // bounded: compared before, or
            guard let (jpeg, arrival) = waiting.removeFirst(), let motion else { return nil }
            waitingBytes -= jpeg.count
            let cover = request.redaction.map { FrameCover($0, heads: heads, size: motion.size) }
            return Planned(jpeg: jpeg, arrival: arrival, plan: plan, motion: motion, cover: cover)
        }
    }

    /// Renders a frame.
    ///
    /// - Throws: `PipelineError` if the frame cannot be decoded, or if no worker is free in time. The caller may then
    ///   render the next frame.
    func render(_ frame: Planned) async throws(PipelineError) -> Result {
        let (plan, motion) = (frame.plan, frame.motion)
        guard !request.isPlan else { return Result(plan: plan, source: motion.size, bytes: []) }
        let widest = SlidingCrop(motion.aspect, in: motion.size)
        let task = VideoJob.Task.render(
            plan.crop,
            to: request.resultSize(widest: (widest.width, widest.height)),
            quality: request.quality,
            cover: frame.cover,
            isWhole: plan.panes == .whole
        )
        // With a look-ahead, the delay counts from now, because the frame has waited for later frames.
        let start = request.lookAhead == 0 ? frame.arrival : .now
        let rendered = try await service.outcome(of: VideoJob(frame.jpeg, task), by: start + maxDelay, limits).get()
        return Result(plan: plan, source: motion.size, bytes: rendered.bytes)
    }

    /// The analysis of a frame, and whether it was searched for faces.
    private mutating func analyse(
        _ bytes: [UInt8],
        by deadline: ContinuousClock.Instant
    ) async throws(PipelineError) -> (result: VideoResult, isSearched: Bool) {
        var extent = request.isSearched ? search.extent(at: seconds) : .none
        var result = try await analyse(bytes, extent, by: deadline)
        let mayBeCut = search.mayBeCut(Thumbnail(result.grid))
        if mayBeCut, request.isSearched, extent != .whole {
            extent = .whole
            result = try await analyse(bytes, extent, by: deadline)
        }
        search.found(result.faces.filter(\.isSure).map(\.subject.face), in: extent, at: seconds)
        return (result, extent != .none)
    }

    private func analyse(
        _ bytes: [UInt8],
        _ extent: LiveSearch.Extent,
        by deadline: ContinuousClock.Instant
    ) async throws(PipelineError) -> VideoResult {
        let part: VideoJob.Search =
            switch extent {
            case .none: .none
            case .whole: .whole(smallestFace: request.smallestFace)
            case .near(let faces): .near(Array(faces.prefix(VideoJob.maxNear)))
            }
        let task = VideoJob.Task.analyse(
            grid: Self.grid,
            part,
            redacts: request.redactsHeads,
            mouths: request.readsMouths
        )
        return try await service.outcome(of: VideoJob(bytes, task), by: deadline, limits).get()
    }

    /// The motion of the lips of each face since the last search; nil unless the mouth was visible in both searches.
    private mutating func lips(_ result: VideoResult) -> [Double?] {
        guard request.readsMouths else { return [] }
        let before = mouths
        mouths = result.faces.compactMap { face in face.mouth.map { (face.subject.face, $0) } }
        return result.faces.map { face in
            guard let mouth = face.mouth else { return nil }
            let same = before.first { $0.face.isSame(as: face.subject.face) }
            return same.map { $0.mouth.lips(to: mouth) }
        }
    }
}

extension PixelRect {
    /// Whether the centre of this face lies in the central half of another face of about the same size.
    fileprivate func isSame(as other: PixelRect) -> Bool {
        let across = abs(2 * x + width - 2 * other.x - other.width)
        let down = abs(2 * y + height - 2 * other.y - other.height)
        return 2 * across <= other.width && 2 * down <= other.height && 2 * width >= other.width
            && width <= 2 * other.width
    }
}

extension FaceSample {
    /// Maximum number of faces in a plan, with sure faces first, then the largest faces.
    ///
    /// Planning time grows with the square of the number of faces.
    private static let maxFaces = 32

    /// The result of a search of the next frame.
    fileprivate init(_ result: VideoResult, lips: [Double?]) {
        self.init(
            frame: 0,
            faces: result.faces.prefix(Self.maxFaces).enumerated().map { index, face in
                FaceSighting(
                    face.subject,
                    isSure: face.isSure,
                    isEstimated: face.isEstimated,
                    lips: index < lips.count ? lips[index] : nil
                )
            },
            attention: result.attention
        )
    }
}
