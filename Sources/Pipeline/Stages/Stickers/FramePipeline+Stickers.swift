import FaceDetection
import Framing
import Geometry
import Imaging

extension FramePipeline {
    /// The stickers of the picture of the source; nil if the job has none.
    ///
    /// A face of an animation is in one of its frames, and the picture of the source may be no frame: the picture is
    /// searched itself.
    ///
    /// - Parameters:
    ///   - plan: The plan with the faces of a still picture.
    ///   - source: The pixels of the source.
    ///   - decodePlan: The passes.
    ///   - detector: The detector of the worker.
    ///   - times: The time of a search is added to that of detection.
    /// - Returns: The stickers with their places.
    /// - Throws: ``PipelineError``.
    func stillStickers(
        _ plan: FramePlan,
        _ source: inout SourcePixels,
        _ decodePlan: DecodePlan,
        _ detector: inout any FaceDetector,
        _ times: inout StageTimes
    ) throws(PipelineError) -> StickerStage? {
        guard !job.options.stickers.isEmpty, job.answer.product.output != nil else { return nil }
        var faces = plan.faces
        if animation != nil {
            let (start, decoded) = (ContinuousClock.now, source.duration)
            let search = FaceSearch(plan: decodePlan.search, size: header.size, smallestFace: nil, looksTurned: true)
            faces = try search.run(&source, detector: &detector, context: context).faces
            times.detect += .now - start - (source.duration - decoded)
        }
        return try StickerStage(job, faces: faces, limits: limits)
    }

    /// What draws the stickers of one crop.
    func finish(
        _ stickers: StickerStage?,
        _ mark: MarkStage?,
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
                copyright: copyright(output),
                mask: MaskStage(job.options),
                mark: mark
            )
        }
    }
}

extension StickerStage {
    /// How long the place of a face is kept where it is not found, in milliseconds.
    private static let keptFace = 1000

    /// The faces of every frame, for stickers; a face that is missed stays in its place for a second.
    static func faces(in detections: [FrameDetections]) -> [[Face]] {
        var frames: [[Face]] = []
        var kept: [(face: Face, age: Int)] = []
        for frame in detections {
            let found = frame.faces.prefix(Sticker.mostFaces)
            let missed = kept.filter { one in
                one.age <= keptFace && !found.contains { $0.box.overlap(with: one.face.box) > 0.1 }
            }
            kept = found.map { (face: $0, age: 0) } + missed
            frames.append(kept.map(\.face))
            for index in kept.indices { kept[index].age += frame.milliseconds }
        }
        return frames
    }
}
