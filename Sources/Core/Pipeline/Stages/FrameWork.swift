import Framing
import Geometry
import Imaging

/// A running job: its inputs, and the pixels, the search, the detections and the times that its stages share.
struct FrameWork {
    let job: FrameJob
    let header: ImageHeader
    let limits: PipelineLimits
    let context: JobContext
    /// The scales and passes, derived from the header.
    let decodePlan: DecodePlan
    /// The animation, if all of its frames are processed; nil if only one image is processed.
    let animationStage: AnimationStage?
    /// The search of the worker.
    var search: any FaceSearch
    /// The pixels of the source that have been decoded so far.
    var source: SourcePixels
    /// The detections of this job's search or of an earlier job; they contain no faces if the job needs none.
    var findings: DetectionResult
    /// Whether this job ran the search.
    var isSearched = false
    var times = StageTimes()

    /// Creates the state of a job before its first stage.
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

    /// The detections of this job's search; nil if it ran none.
    var newFindings: DetectionResult? { isSearched ? findings : nil }

    /// The input pixels of the search for faces; 0 if the job needs no faces.
    ///
    /// The passes of an earlier job count as well. Therefore neither the budget of other searches nor the result
    /// depends on whether the detections were already known.
    var searchedPixels: Int { findings.passes.reduce(0) { $0 + min($1.workingSize.area, 1 << 32) } }

    /// Runs a part of a stage that may decode the source, and records its time without the time for decoding.
    mutating func timed<Value>(
        _ time: WritableKeyPath<StageTimes, Duration>,
        _ step: (inout FrameWork) throws(PipelineError) -> Value
    ) throws(PipelineError) -> Value {
        let (start, decoded) = (ContinuousClock.now, source.duration)
        defer { times[keyPath: time] += .now - start - (source.duration - decoded) }
        return try step(&self)
    }

    /// Returns the result of a job after its last stage.
    mutating func result(of draft: FrameDraft) -> FrameResult {
        var plan = draft.plan
        plan.source.isDamaged = source.isDamaged || findings.isDamaged
        times.decode = source.duration
        return FrameResult(images: draft.images, plan: plan, times: times)
    }

    // MARK: Images

    /// Returns the stage that makes the images of crops, without a gain map.
    func renderStage(_ inputs: StepInputs, _ output: ImageOutput) -> RenderStage {
        RenderStage(
            header: header,
            options: job.options,
            output: output,
            limits: limits,
            context: context,
            steps: CropSteps(inputs),
            stickers: inputs.stickers,
            copyright: copyright(output)
        )
    }

    /// Returns the source's copyright notice, if results keep it.
    func copyright(_ output: ImageOutput) -> CopyrightNotice? {
        output.keepsCopyright ? CopyrightNotice(of: job.source.array, format: header.format) : nil
    }

    /// Returns the stage, the possible formats and the output of an animated result; nil if the result is a still
    /// image.
    func animatedResult(_ plan: FramePlan) -> (stage: AnimationStage, formats: [OutputFormat], output: ImageOutput)? {
        guard let animationStage, job.rendering == .scaling, case .image(let output) = job.target.product,
            animationStage.allows(plan.crops[0])
        else { return nil }
        if output.isForVideo, output.size(of: plan.crops[0].output).area == 0 { return nil }
        let formats = output.animated(for: header, size: plan.crops[0].output, limits: limits)
        return formats.isEmpty ? nil : (animationStage, formats, output)
    }
}
