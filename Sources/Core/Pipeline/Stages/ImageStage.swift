import Framing
import Imaging

/// Makes the images of the plan, or none if the job requests only the plan: an animation, stills, or a drawing.
///
/// It also sets the plan's number of covered heads.
struct ImageStage: FrameStage {
    func run(_ work: inout FrameWork, _ draft: inout FrameDraft) throws(PipelineError) {
        // The memory of the inputs is no longer needed after this stage.
        guard var inputs = draft.inputs.take() else { return }
        inputs.mark = try MarkImage(work.job, limits: work.limits.decode)
        draft.images = try images(&work, &draft.plan, inputs)
    }

    private func images(
        _ work: inout FrameWork,
        _ plan: inout FramePlan,
        _ inputs: StepInputs
    ) throws(PipelineError) -> [EncodedImage] {
        if let image = try animation(&work, &plan, inputs) { return [image] }
        let job = work.job
        if job.target.product.output?.isForVideo == true, let animationStage = work.animationStage {
            throw .noVideo(animationStage.videoObstacle(plan.crops[0]))
        }
        guard let rendering = job.rendering, let output = job.target.product.output else { return [] }
        let masks = try RedactionStage().masks(&work, plan)
        plan.coveredHeads = masks?.headCount
        var inputs = inputs
        inputs.stickers = try stickers(&work, plan)
        let pixels: PartialImage? =
            switch rendering {
            case .cutting: nil
            case .scaling: try decode(rendered(plan, job), atLeast: neededScale(plan, work), &work.source, work.header)
            case .drawing: PartialImage(whole: try work.source.image(atLeast: work.decodePlan.firstScale))
            }
        try work.context.check()
        let start = ContinuousClock.now
        defer { work.times.encode += .now - start }
        var stage = work.renderStage(inputs, output)
        guard let pixels else {
            return try mapCrops(of: plan, work) { (crop) throws(PipelineError) in
                try stage.cut(job.source.array, crop: crop.rect)
            }
        }
        let image = try RedactionStage().redacted(pixels, masks, job)
        if case .drawing(_, let showsCrop) = job.target.product {
            let (header, limits, profile) = (work.header, work.limits, job.options.profile)
            return [
                try DebugStage(header: header, output: output, limits: limits, profile: profile, showsCrop: showsCrop)
                    .render(image.image, plan: plan)
            ]
        }
        stage.gainMap = gainMap(work)
        return try mapCrops(of: plan, work) { (crop) throws(PipelineError) in try stage.render(image, crop) }
    }

    // MARK: Stills

    /// Returns the crops that become images.
    private func rendered(_ plan: FramePlan, _ job: FrameJob) -> [FramePlan.Crop] {
        if case .images = job.target.product { plan.crops } else { Array(plan.crops.prefix(1)) }
    }

    /// Returns the scale for all images.
    ///
    /// It does not depend on pixels that an earlier search decoded, so that equal jobs have equal images.
    private func neededScale(_ plan: FramePlan, _ work: FrameWork) -> DecodeScale {
        let decodePlan = work.decodePlan
        let needed = rendered(plan, work.job).map(decodePlan.scale(for:)).max() ?? decodePlan.firstScale
        return work.job.needsFaces ? max(needed, decodePlan.firstScale) : needed
    }

    /// Decodes the pixels of the given crops.
    private func decode(
        _ crops: [FramePlan.Crop],
        atLeast scale: DecodeScale,
        _ source: inout SourcePixels,
        _ header: ImageHeader
    ) throws(PipelineError) -> PartialImage {
        let rect = RenderStage.pixels(for: crops, in: header.size(atScale: scale), source: header.size)
        return try source.part(rect, atLeast: scale)
    }

    /// Returns the source's gain map, if results keep it.
    private func gainMap(_ work: FrameWork) -> GainMap? {
        guard work.job.options.hdr == .keep, work.job.options.keepsPixels else { return nil }
        return GainMap(work.job.source.array, format: work.header.format)
    }

    /// Makes the image of each rendered crop.
    private func mapCrops(
        of plan: FramePlan,
        _ work: FrameWork,
        _ make: (FramePlan.Crop) throws(PipelineError) -> EncodedImage
    ) throws(PipelineError) -> [EncodedImage] {
        try rendered(plan, work.job).map { (crop) throws(PipelineError) in
            let image = try make(crop)
            try work.context.check()
            return image
        }
    }

    /// Returns the stickers for the still image of the source; nil if the job has none.
    ///
    /// The still image of an animated source may differ from every frame, so it is searched separately for faces.
    private func stickers(_ work: inout FrameWork, _ plan: FramePlan) throws(PipelineError) -> FaceStickers? {
        let (job, limits) = (work.job, work.limits.decode)
        guard !job.options.stickers.isEmpty, job.target.product.output != nil else { return nil }
        guard work.animationStage != nil else { return try FaceStickers(job, faces: plan.faces, limits: limits) }
        let found = try work.timed(\.detect) { (work) throws(PipelineError) in
            let task = SearchTask(plan: work.decodePlan.search, size: work.header.size, refinesBoxes: false)
            return try work.search.faces(in: &work.source, task, work.context)
        }
        return try FaceStickers(job, faces: found.faces, limits: limits)
    }

    // MARK: Animations

    /// Returns the animated result and sets the number of covered heads in the plan; nil if the result is still.
    private func animation(
        _ work: inout FrameWork,
        _ plan: inout FramePlan,
        _ inputs: StepInputs
    ) throws(PipelineError) -> EncodedImage? {
        guard let (animationStage, formats, output) = work.animatedResult(plan) else { return nil }
        let job = work.job
        var inputs = inputs
        // Frames may leave parts of the canvas transparent, regardless of the header.
        inputs.sourceHasAlpha = true
        inputs.stickers = try FaceStickers(job, faces: [], limits: work.limits.decode)
        var masks: FrameMasks?
        if job.options.redaction != nil || inputs.stickers != nil {
            let start = ContinuousClock.now
            // Redaction and stickers share one search.
            let passes = job.options.redaction == nil ? work.decodePlan.search : work.decodePlan.redactionSearch
            let task = SearchTask(plan: passes, size: work.header.size)
            let detections = try animationStage.detections(task, spent: work.searchedPixels, with: &work.search)
            work.times.detect += .now - start
            guard let detections else { return nil }
            inputs.stickers?.frames = FaceStickers.faces(in: detections)
            if let redaction = job.options.redaction {
                let made = try FrameMasks(redaction, detections, faces: plan.faces, size: work.header.size)
                plan.coveredHeads = made.headCount
                masks = made
            }
        }
        let start = ContinuousClock.now
        defer { work.times.encode += .now - start }
        let image = try animationStage.render(
            plan.crops[0],
            CropSteps(inputs),
            as: formats,
            output: output,
            copyright: work.copyright(output),
            redaction: masks
        )
        // A search for the quality would require several encodings, which take too long for an animation.
        if let maximum = output.maxBytes, image.bytes.count > maximum { return nil }
        return image
    }
}
