package import FaceDetection
import Framing
import Geometry
import Imaging

/// Runs the stages of one job: read, decode, detect, frame, render.
package struct FramePipeline {
    let job: FrameJob
    let header: ImageHeader
    let limits: PipelineLimits
    let context: JobContext

    /// The animation whose frames all count; nil if only one picture does.
    var animation: AnimationInfo? { job.animation(of: header, limits: limits) }

    var animationStage: AnimationStage? {
        animation.map { AnimationStage(job: job, header: header, animation: $0, limits: limits, context: context) }
    }

    /// Runs the job on the calling thread.
    ///
    /// - Parameter detector: The detector of the worker.
    /// - Returns: The result or an error, and the findings if the job made a search.
    package func run(detector: inout any FaceDetector) -> JobOutcome {
        let decodePlan = DecodePlan(
            job: job,
            header: header,
            smallestDetectableSide: detector.smallestDetectableSide,
            hasNetwork: detector is any NetworkDetector
        )
        var source = SourcePixels(job: job, header: header, limits: limits.decode)
        let search: Search
        do throws(PipelineError) {
            search = try self.search(&source, decodePlan, detector: &detector)
        } catch {
            return JobOutcome(error)
        }
        do throws(PipelineError) {
            return JobOutcome(
                findings: search.ownFindings,
                result: .success(try answer(search, &source, decodePlan, &detector))
            )
        } catch {
            return JobOutcome(findings: search.ownFindings, result: .failure(error))
        }
    }

    /// The findings that a job uses.
    private struct Search {
        /// The findings of this job's search or of an earlier one; without faces if the job needs none.
        let findings: FaceFindings
        /// Whether this job made the search.
        let isOwn: Bool

        var ownFindings: FaceFindings? { isOwn ? findings : nil }
    }

    /// Decodes the source at the first scale, and searches for faces unless the job has findings.
    private func search(
        _ source: inout SourcePixels,
        _ decodePlan: DecodePlan,
        detector: inout any FaceDetector
    ) throws(PipelineError) -> Search {
        if job.options.isLossless, header.losslessCropping == nil || job.options.redaction != nil {
            throw .notLossless(header.format)
        }
        let known = job.findings.flatMap { findings in
            findings.size == header.size && findings.detectorName == detector.name
                && (findings.frames == nil) == (animation == nil) ? findings : nil
        }
        let knowsNoAttention = known.map { !job.options.framing.needsAttention(for: $0.faces.map(\.subject)) } ?? false
        // One decode is enough for the detector and the result if the scale of both is known. If the crop does not
        // depend on pixels, decoding waits for it, so that pixels outside are not decoded.
        let mayMoveCrop =
            job.needsFaces && known == nil || job.mayNeedAttention && !knowsNoAttention || job.options.trim != nil
        if mayMoveCrop, animation == nil, job.rendering == .scaling || job.rendering == .drawing {
            _ = try source.picture(atLeast: decodePlan.firstScale)
        }
        try context.check()
        if let known { return Search(findings: known, isOwn: false) }
        guard job.needsFaces else {
            return Search(findings: FaceFindings(size: header.size, detectorName: detector.name), isOwn: false)
        }
        var search = FaceSearch(
            plan: decodePlan.search,
            size: header.size,
            smallestFace: job.options.smallestFace.map { $0 * Double(header.size.shortSide) },
            looksTurned: job.options.accuracy.looksTurned
        )
        search.networkSides = decodePlan.networkSides
        search.asksOnlyInDoubt = job.options.accuracy == .low
        search.closeUp = decodePlan.closeUp
        var findings =
            if let animationStage {
                try animationStage.search(search, detector: &detector)
            } else {
                try search.run(&source, detector: &detector, context: context)
            }
        findings.isDamaged = source.isDamaged
        try context.check()
        return Search(findings: findings, isOwn: true)
    }

    /// Plans the crops and makes the images.
    private func answer(
        _ search: Search,
        _ source: inout SourcePixels,
        _ decodePlan: DecodePlan,
        _ detector: inout any FaceDetector
    ) throws(PipelineError) -> FrameResult {
        var times = StageTimes()
        if search.isOwn { times.detect = search.findings.duration }
        let (framingStart, decoded) = (ContinuousClock.now, source.duration)
        let area = try area(in: &source, decodePlan)
        let findings = search.findings.restricted(to: area)
        let attention = try attention(to: findings, in: area, of: &source, scale: decodePlan.attentionScale)
        var plan = try makePlan(findings, in: area, attention: attention)
        // If attention decodes the source again, that counts as decoding.
        times.frame = .now - framingStart - (source.duration - decoded)
        if job.answer.crops == .everyFace {
            let pixels = plan.crops.reduce(0) { $0 + $1.output.area }
            guard pixels <= decodePlan.mostPortraitPixels else {
                throw .portraitsTooLarge(pixels: pixels, mostPixels: decodePlan.mostPortraitPixels)
            }
        }
        if job.needsFaces {
            plan.detector = FramePlan.Detector(
                name: findings.detectorName,
                accuracy: job.options.accuracy,
                looks: findings.looks,
                duration: findings.duration,
                isKnown: !search.isOwn,
                frames: findings.frames
            )
        }
        let spent = search.ownFindings.map { $0.looks.reduce(0) { $0 + $1.workingSize.area } } ?? 0
        try follow(&plan, decodePlan, spent: spent, &detector, &times)
        try placeMark(in: &plan)
        var images: [EncodedImage] = []
        let effects = try effects(on: plan, of: &source, decodePlan)
        try addPlaceholders(to: &plan, of: &source, effects, decodePlan)
        if job.rendering == .scaling, let key = job.options.key, key.color == nil {
            plan.borderKey = BorderKey(effects.keyColor)
        }
        let mark = try MarkStage(job, limits: limits.decode)
        if let image = try animated(&plan, decodePlan, spent: spent, effects, mark, &detector, &times) {
            images = [image]
        } else if let rendering = job.rendering, let output = job.answer.product.output {
            let masks = try stillMasks(plan, search.findings.faces, &source, decodePlan, &detector, &times)
            plan.coveredHeads = masks?.headCount
            let stickers = try stillStickers(plan, &source, decodePlan, &detector, &times)
            let pixels: PartialImage? =
                switch rendering {
                case .cutting: nil
                case .scaling: try decode(rendered(plan), from: &source, atLeast: neededScale(plan, decodePlan))
                case .drawing: PartialImage(whole: try source.picture(atLeast: decodePlan.firstScale))
                }
            try context.check()
            let start = ContinuousClock.now
            images =
                if let pixels {
                    try render(try redacted(pixels, masks), plan: plan, effects, stickers, mark, output: output)
                } else {
                    try cut(plan, effects, output: output)
                }
            times.encode += .now - start
        }
        plan.audit = try audit(plan, search.findings.faces, &source, decodePlan, &detector, &times)
        if let audit = plan.audit, job.options.redaction?.faces != Redaction.Faces.none {
            plan.coveredHeads = audit.covered.count
        }
        plan.source.isDamaged = source.isDamaged || findings.isDamaged
        times.decode = source.duration
        let isOne = !makesEveryImage
        return FrameResult(
            image: isOne ? images.first : nil,
            images: isOne ? [] : images,
            plan: plan,
            times: times
        )
    }

    /// The part of the source to frame: the requested region without its plain borders.
    private func area(in source: inout SourcePixels, _ decodePlan: DecodePlan) throws(PipelineError) -> PixelRect {
        guard let tolerance = job.options.trim else { return decodePlan.area }
        let image = try source.picture(exactlyAt: decodePlan.trimScale)
        return TrimStage(sourceSize: header.size).content(of: image, in: decodePlan.area, tolerance: tolerance)
    }

    /// The attention profile; empty if the crop does not depend on it.
    private func attention(
        to findings: FaceFindings,
        in area: PixelRect,
        of source: inout SourcePixels,
        scale: DecodeScale
    ) throws(PipelineError) -> AttentionProfile {
        guard job.mayNeedAttention, job.options.framing.needsAttention(for: findings.faces.map(\.subject)) else {
            return .uniform
        }
        let profile = try AttentionStage(sourceSize: header.size, area: area).profile(
            of: source.picture(exactlyAt: scale),
            // The crop of `gravity=attention` does not depend on whether faces were searched for as well.
            doubtfulFaces: job.options.framing.gravity.needsFaces
                ? findings.doubtfulFaces(after: job.options.accuracy, in: area) : nil
        )
        try context.check()
        return profile
    }
}
