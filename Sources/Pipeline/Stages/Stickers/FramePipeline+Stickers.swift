import FaceDetection
import Framing
import Geometry
import Imaging

extension FramePipeline {
    /// The stickers of a job's images; nil if it has none.
    ///
    /// - Parameters:
    ///   - plan: The plan with the faces of a still picture.
    ///   - decodePlan: The passes.
    ///   - detector: The detector of the worker.
    ///   - times: The time of a search is added to that of detection.
    /// - Returns: The stickers with their places.
    /// - Throws: ``PipelineError``.
    func stickers(
        _ plan: FramePlan,
        _ decodePlan: DecodePlan,
        _ detector: inout any FaceDetector,
        _ times: inout StageTimes
    ) throws(PipelineError) -> StickerStage? {
        // A face of an animation is in one of its frames; the first picture has those of frame 0.
        let faces = plan.faces.filter { ($0.frame ?? 0) == 0 }
        guard var stage = try StickerStage(job, faces: faces, limits: limits) else { return nil }
        guard let result = animatedResult(plan) else { return stage }
        let start = ContinuousClock.now
        let search = FaceSearch(plan: decodePlan.search, size: header.size, smallestFace: nil, looksTurned: true)
        stage.frames = try result.stage.stickerFaces(search, detector: &detector)
        times.detect += .now - start
        return stage
    }

    /// What draws the stickers of one crop.
    func finish(
        _ stickers: StickerStage?,
        _ crop: FramePlan.Crop,
        _ output: ImageOutput,
        turn: Orientation
    ) -> StickerFinish? {
        stickers.map {
            StickerFinish(
                stage: $0,
                crop: crop,
                header: header,
                output: output,
                turn: turn,
                copyright: copyright(output)
            )
        }
    }
}
