import FaceDetection
import Framing
import Geometry
import Imaging
import Motion

extension FramePipeline {
    /// Adds the crops of all frames to those crops of a plan that cut somebody off in any frame and may follow.
    ///
    /// - Parameters:
    ///   - plan: The plan with one crop for all frames.
    ///   - decodePlan: The passes.
    ///   - spent: The pixels that other searches of the job looked at.
    ///   - detector: The detector of the worker.
    ///   - times: The time of the search is added to that of detection.
    /// - Throws: ``PipelineError``.
    func follow(
        _ plan: inout FramePlan,
        _ decodePlan: DecodePlan,
        spent: Int,
        _ detector: inout any FaceDetector,
        _ times: inout StageTimes
    ) throws(PipelineError) {
        guard job.mayFollow, let animationStage, isPlan || animatedResult(plan) != nil else { return }
        let movable = plan.crops.indices.filter { plan.crops[$0].decision == .faces && !plan.crops[$0].hasBars }
        guard !movable.isEmpty else { return }
        let start = ContinuousClock.now
        defer { times.detect += .now - start }
        let search = FaceSearch(
            plan: decodePlan.search,
            size: header.size,
            smallestFace: job.options.smallestFace.map { $0 * Double(header.size.shortSide) },
            looksTurned: false
        )
        guard let people = try animationStage.people(search, spent: spent, detector: &detector) else { return }
        for index in movable where people.areCut(by: plan.crops[index].rect) {
            plan.crops[index].path = people.path(of: plan.crops[index], in: header.size, framing: job.options.framing)
        }
    }

    private var isPlan: Bool {
        if case .plan = job.answer.product { return true }
        return false
    }
}

extension FrameJob {
    /// Whether the options allow a crop that moves.
    var mayFollow: Bool {
        options.motion == .follow && options.framing.gravity == .faces && options.framing.focal.isEmpty
            && options.framing.fit == .cover && options.framing.zoom == 0 && options.region == nil
            && options.trim == nil && options.redaction == nil && options.stickers.isEmpty && !options.isLossless
            && needsFaces
    }
}
