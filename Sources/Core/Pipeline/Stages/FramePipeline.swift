import Framing
import Geometry
import Imaging

/// Runs one job: decodes the source, detects faces, frames and renders.
///
/// The steps share the decoded pixels, the detector and the times; each step is in the file of its stage.
package struct FramePipeline {
    let job: FrameJob
    let header: ImageHeader
    let limits: PipelineLimits
    let context: JobContext
    /// The scales and passes, derived from the header.
    let decodePlan: DecodePlan
    /// The animation, if all of its frames are processed; nil if only one image is processed.
    let animationStage: AnimationStage?
    /// The search of the worker.
    package var search: any FaceSearch
    /// The pixels of the source that have been decoded so far.
    var source: SourcePixels
    /// The detections of this job's search or of an earlier job; they contain no faces if the job needs none.
    var findings: DetectionResult
    /// Whether this job ran the search.
    private var isSearched = false
    var times = StageTimes()

    /// Creates the pipeline of a job whose header was read and is within the limits.
    init(job: FrameJob, header: ImageHeader, limits: PipelineLimits, context: JobContext, search: any FaceSearch) {
        (self.job, self.header, self.limits, self.context) = (job, header, limits, context)
        self.search = search
        decodePlan = DecodePlan(
            job: job,
            header: header,
            needs: search.needs
        )
        animationStage = job.animation(of: header, limits: limits).map {
            AnimationStage(job: job, header: header, animation: $0, limits: limits, context: context)
        }
        source = SourcePixels(job: job, header: header, limits: limits.decode)
        findings = DetectionResult(size: header.size, detectorName: search.detectorName)
    }

    /// Runs the job on the calling thread and returns the result or an error, and the detections if the job ran a
    /// search.
    package mutating func run() -> JobOutcome {
        do throws(PipelineError) {
            try findFaces()
        } catch {
            return JobOutcome(error)
        }
        do throws(PipelineError) {
            let result = try makeResult()
            return JobOutcome(findings: isSearched ? findings : nil, result: .success(result))
        } catch {
            return JobOutcome(findings: isSearched ? findings : nil, result: .failure(error))
        }
    }

    /// The input pixels of the search for faces; 0 if the job needs no faces.
    ///
    /// The passes of an earlier job count as well. Therefore neither the budget of other searches nor the result
    /// depends on whether the detections were already known.
    var searchedPixels: Int { findings.passes.reduce(0) { $0 + min($1.workingSize.area, 1 << 32) } }

    /// Runs a step that may decode the source, and records its time without the time for decoding.
    mutating func timed<Value>(
        _ time: WritableKeyPath<StageTimes, Duration>,
        _ step: (inout FramePipeline) throws(PipelineError) -> Value
    ) throws(PipelineError) -> Value {
        let (start, decoded) = (ContinuousClock.now, source.duration)
        defer { times[keyPath: time] += .now - start - (source.duration - decoded) }
        return try step(&self)
    }

    /// Decodes the source at the first scale, and searches for faces unless the job has detections.
    private mutating func findFaces() throws(PipelineError) {
        if job.options.isLossless, header.losslessCropping == nil || job.options.redaction != nil {
            throw .notLossless(header.format)
        }
        let known = job.findings.flatMap { findings in
            findings.size == header.size && findings.detectorName == search.detectorName
                && (findings.frames == nil) == (animationStage == nil) ? findings : nil
        }
        let knowsNoAttention = known.map { !job.options.framing.needsAttention(for: $0.faces.map(\.subject)) } ?? false
        // If the scales for the detector and for the result are known, one decode is sufficient. If the crop does not
        // depend on pixels, the source is decoded after the crop is known, so that pixels outside the crop are skipped.
        let mayMoveCrop =
            job.needsFaces && known == nil || job.mayNeedAttention && !knowsNoAttention || job.options.trim != nil
        if mayMoveCrop, animationStage == nil, job.rendering == .scaling || job.rendering == .drawing {
            _ = try source.image(atLeast: decodePlan.firstScale)
        }
        try context.check()
        if let known { findings = known }
        guard known == nil, job.needsFaces else { return }
        findings =
            if let animationStage {
                try animationStage.search(decodePlan.faces, with: &search)
            } else {
                try search.faces(in: &source, decodePlan.faces, context)
            }
        findings.isDamaged = source.isDamaged
        times.detect = findings.duration
        try context.check()
        isSearched = true
    }

    /// Plans the crops and makes the images.
    private mutating func makeResult() throws(PipelineError) -> FrameResult {
        // If the attention map requires another decode, its time counts as decoding.
        var plan = try timed(\.frame) { (work) throws(PipelineError) in try work.plan() }
        try follow(&plan)
        try placeMark(in: &plan)
        var materials = StepInputs(job.options, sourceHasAlpha: header.hasAlpha)
        try addKey(to: &materials, &plan)
        try addPlaceholders(to: &plan, materials)
        materials.mark = try MarkImage(job, limits: limits.decode)
        let images = try images(of: &plan, materials)
        try audit(&plan)
        plan.source.isDamaged = source.isDamaged || findings.isDamaged
        times.decode = source.duration
        return FrameResult(images: images, plan: plan, times: times)
    }

    // MARK: Plan

    /// Plans the crops.
    private mutating func plan() throws(PipelineError) -> FramePlan {
        let area = try area()
        let seen = findings.restricted(to: area)
        let attention = try attention(to: seen, in: area)
        var plan = try plan(seen, in: area, attention: attention)
        if job.needsFaces {
            plan.detector = FramePlan.Detector(
                name: seen.detectorName,
                accuracy: job.options.accuracy,
                passes: seen.passes,
                duration: seen.duration,
                isKnown: !isSearched,
                frames: seen.frames
            )
        }
        return plan
    }

    /// Returns the part of the source to frame: the requested region without its uniform borders.
    private mutating func area() throws(PipelineError) -> PixelRect {
        guard let tolerance = job.options.trim else { return decodePlan.area }
        let image = try source.image(exactlyAt: decodePlan.trimScale)
        return TrimStage(sourceSize: header.size).content(of: image, in: decodePlan.area, tolerance: tolerance)
    }

    /// Returns the attention profile; uniform if the crop does not depend on it.
    private mutating func attention(
        to findings: DetectionResult,
        in area: PixelRect
    ) throws(PipelineError) -> AttentionProfile {
        guard job.mayNeedAttention, job.options.framing.needsAttention(for: findings.faces.map(\.subject)) else {
            return .uniform
        }
        let profile = try AttentionStage(sourceSize: header.size, area: area).profile(
            of: source.image(exactlyAt: decodePlan.attentionScale),
            // With `gravity=attention`, the crop must not depend on whether a face search ran as well.
            doubtfulFaces: job.options.framing.gravity.needsFaces
                ? findings.doubtfulFaces(after: job.options.accuracy, in: area) : nil
        )
        try context.check()
        return profile
    }

    // MARK: Images

    /// Makes the images of a plan, or none if only the plan is requested, and sets the plan's number of covered heads.
    private mutating func images(
        of plan: inout FramePlan,
        _ materials: StepInputs
    ) throws(PipelineError) -> [EncodedImage] {
        if let image = try animated(&plan, materials) { return [image] }
        if job.target.product.output?.isForVideo == true, let animationStage {
            throw .noVideo(animationStage.videoObstacle(plan.crops[0]))
        }
        guard let rendering = job.rendering, let output = job.target.product.output else { return [] }
        let masks = try stillMasks(plan)
        plan.coveredHeads = masks?.headCount
        var materials = materials
        materials.stickers = try stillStickers(plan)
        let pixels: PartialImage? =
            switch rendering {
            case .cutting: nil
            case .scaling: try decode(rendered(plan), atLeast: neededScale(plan))
            case .drawing: PartialImage(whole: try source.image(atLeast: decodePlan.firstScale))
            }
        try context.check()
        let start = ContinuousClock.now
        defer { times.encode += .now - start }
        var stage = renderStage(materials, output)
        guard let pixels else {
            return try mapCrops(of: plan) { (crop) throws(PipelineError) in
                try stage.cut(job.source.array, crop: crop.rect)
            }
        }
        let image = try redacted(pixels, masks)
        if case .drawing(_, let showsCrop) = job.target.product {
            let profile = job.options.profile
            return [
                try DebugStage(header: header, output: output, limits: limits, profile: profile, showsCrop: showsCrop)
                    .render(image.image, plan: plan)
            ]
        }
        stage.gainMap = gainMap
        return try mapCrops(of: plan) { (crop) throws(PipelineError) in try stage.render(image, crop) }
    }

    /// Whether the result has one image for each crop.
    private var makesEveryImage: Bool {
        if case .images = job.target.product { true } else { false }
    }

    /// Returns the crops that become images.
    private func rendered(_ plan: FramePlan) -> [FramePlan.Crop] {
        makesEveryImage ? plan.crops : Array(plan.crops.prefix(1))
    }

    /// Returns the scale for all images.
    ///
    /// It does not depend on pixels that an earlier search decoded, so that equal jobs have equal images.
    private func neededScale(_ plan: FramePlan) -> DecodeScale {
        let needed = rendered(plan).map(decodePlan.scale(for:)).max() ?? decodePlan.firstScale
        return job.needsFaces ? max(needed, decodePlan.firstScale) : needed
    }

    /// Decodes the pixels of the given crops.
    mutating func decode(_ crops: [FramePlan.Crop], atLeast scale: DecodeScale) throws(PipelineError) -> PartialImage {
        let rect = RenderStage.pixels(for: crops, in: header.size(atScale: scale), source: header.size)
        return try source.part(rect, atLeast: scale)
    }

    /// Returns the source's copyright notice, if results keep it.
    func copyright(_ output: ImageOutput) -> CopyrightNotice? {
        output.keepsCopyright ? CopyrightNotice(of: job.source.array, format: header.format) : nil
    }

    /// The source's gain map, if results keep it.
    private var gainMap: GainMap? {
        guard job.options.hdr == .keep, job.options.keepsPixels else { return nil }
        return GainMap(job.source.array, format: header.format)
    }

    /// Returns the stage that makes the images of crops, without a gain map.
    func renderStage(_ materials: StepInputs, _ output: ImageOutput) -> RenderStage {
        RenderStage(
            header: header,
            options: job.options,
            output: output,
            limits: limits,
            context: context,
            steps: CropSteps(materials),
            stickers: materials.stickers,
            copyright: copyright(output)
        )
    }

    /// Makes the image of each rendered crop.
    private func mapCrops(
        of plan: FramePlan,
        _ make: (FramePlan.Crop) throws(PipelineError) -> EncodedImage
    ) throws(PipelineError) -> [EncodedImage] {
        try rendered(plan).map { (crop) throws(PipelineError) in
            let image = try make(crop)
            try context.check()
            return image
        }
    }
}
