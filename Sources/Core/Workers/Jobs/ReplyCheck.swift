import Framing
import Geometry
import Imaging
import Pipeline

/// Validates a worker's reply before the rest of the service uses it.
///
/// The worker decoded untrusted bytes, which may have compromised it. Its results for the image may then be wrong. But
/// in a valid reply, no number can cause an arithmetic overflow or lacks a JSON representation, each image has its
/// declared type, and all sizes are within the limits.
struct ReplyCheck: PlausibleNumbers {
    let job: FrameJob
    let limits: PipelineLimits
    let detectorName: String

    /// Returns the first problem of a reply; nil if it is valid.
    func problem(in reply: WorkerReply, bodyBytes: Int) -> String? {
        if let error = reply.error {
            guard reply.result == nil, isPossible(error) else { return "an error that a worker cannot report" }
            return problem(in: reply.findings)
        }
        guard let result = reply.result else { return "neither a result nor an error" }
        let images = result.images
        var rest = bodyBytes
        for count in reply.imageBytes {
            guard count > 0, count <= rest else { return "missing images" }
            rest -= count
        }
        guard rest == 0, reply.imageBytes.count == images.count, images.allSatisfy(\.bytes.isEmpty) else {
            return "missing images"
        }
        return problem(in: result.plan) ?? problem(in: result) ?? problem(in: result.times)
            ?? problem(in: reply.findings, size: result.plan.source.size)
    }

    private func isPossible(_ error: PipelineError) -> Bool {
        switch error {
        case .codec, .backdrop, .framing, .detector, .cancelled, .workerLost, .notLossless: true
        case .noSuchFace(_, let found): found >= 0
        case .resultTooLarge(let size, _), .formatTooLarge(_, let size, _), .regionOutside(let size):
            isSide(size.width) && isSide(size.height)
        case .tookTooLong(let limit): limit == limits.maxTime
        case .portraitsTooLarge(let pixels, _): pixels >= 0
        case .noVideo(let obstacle): job.target.product.output?.isForVideo == true && isPossible(obstacle)
        case .overloaded(let delay): limits.maxTime != nil && delay == .seconds(1)
        case .tooMuchMemory, .sourceRefused: false
        }
    }

    private func isPossible(_ obstacle: VideoObstacle) -> Bool {
        switch obstacle {
        case .still: true
        case .tooManyFrames(let count, let limit): limit == limits.maxFrames && count > limit
        case .tooManyPixels(let count, let limit): limit == limits.maxAnimationPixels && count > limit
        case .tooManySearchedPixels(let limit): limit > 0
        case .tooSmall(let size): isSide(size.width) && isSide(size.height)
        }
    }

    private func problem(in plan: FramePlan) -> String? {
        let size = plan.source.size
        guard isSide(size.width), isSide(size.height), size.area <= limits.decode.maxPixels,
            size.longSide <= limits.decode.maxSide, (1...8).contains(plan.source.orientation),
            plan.source.format == InputFormat.sniff(Array(job.source.slice.prefix(InputFormat.signatureLength)))
        else { return "a source that is too large" }
        if let animation = plan.source.animation {
            guard isAnimation(animation), limits.allows(animation), job.options.animation == .auto else {
                return "an animation that was not requested"
            }
        }
        let whole = PixelRect(size)
        guard isInside(plan.area, in: whole), plan.area.area > 0, plan.turn == job.options.turn,
            plan.fitsHeads == job.options.framing.fitsHeads
        else {
            return "a region outside the image"
        }
        guard plan.redaction == job.options.redaction else { return "redaction differs from the request" }
        if let audit = plan.audit {
            guard case .plan = job.target.product, plan.redaction != nil,
                (audit.covered + audit.remaining).allSatisfy({ isInside($0.box, in: whole) && isScore($0.confidence) })
            else { return "an invalid audit" }
        }
        if let count = plan.coveredHeads {
            guard let redaction = plan.redaction, redaction.faces != .none, (0...1 << 24).contains(count) else {
                return "covered heads that were not requested"
            }
        }
        guard plan.omittedStickers == job.options.omittedStickers(on: plan.faces) else {
            return "unexpected list of omitted stickers"
        }
        guard plan.borderKey == nil || job.options.key.map({ $0.color == nil }) ?? false else {
            return "a key that was not requested"
        }
        let options = job.options.settled(in: plan.area.size)
        let shapes =
            switch job.target.crops {
            case .shapes, .face: options.aspects
            case .everyFace: plan.faces.map { _ in options.aspects[0] }
            }
        guard plan.crops.map(\.aspect) == shapes else { return "aspect ratios differ from the request" }
        for crop in plan.crops {
            guard crop.outcomes.count == plan.faces.count else { return "outcomes that do not match its faces" }
            guard isInside(crop.rect, in: whole), crop.rect.area > 0, isModest(crop.unclamped),
                crop.faceFree.map(isModest) ?? true,
                isSide(crop.output.width), isSide(crop.output.height),
                crop.output.area <= limits.maxResultPixels
            else { return "a crop outside the image" }
            guard crop.subjectArea.map({ isInside($0, in: whole) && $0.area > 0 }) ?? true
            else { return "subjects outside the image" }
            guard isPossible(crop.path, crop, plan) else { return "a path outside the image" }
            guard crop.placeholder.map({ $0.kind == job.options.placeholder && $0.isPossible }) ?? true else {
                return "an invalid placeholder"
            }
            guard isPossible(crop.mark, plan.turn.upright(crop.output)) else { return "an invalid watermark" }
            guard crop.turned.map(isPossible) ?? true else { return "an invalid rotation" }
            guard isInside(crop.image, in: PixelRect(crop.output)), crop.image.area > 0,
                crop.letterbox.map(isPossible) ?? true
            else { return "bars outside the output" }
        }
        guard plan.faces.allSatisfy({ isFace($0, in: whole) }), plan.ignored.allSatisfy({ isIgnored($0, in: whole) })
        else { return "a face outside the image" }
        guard plan.subjects.count <= SubjectFindings.maximumCount, plan.subjects.isEmpty || job.needsFaces,
            plan.subjects.allSatisfy({ isSubject($0, in: whole) })
        else { return "a subject outside of the image" }
        guard (plan.detector != nil) == job.needsFaces else { return "faces that were not requested" }
        if let detector = plan.detector {
            guard detector.name == detectorName, isTime(detector.duration) else { return "another detector" }
            guard detector.frames.map(isSample) ?? true else { return "invalid searched frames" }
            for pass in detector.passes where !isPass(pass) { return "an invalid detection pass" }
            guard !detector.isKnown || job.findings != nil else { return "cached detections that were not sent" }
        }
        return nil
    }

    private func problem(in result: FrameResult) -> String? {
        let plan = result.plan
        let sizes: [PixelSize] =
            switch job.target.product {
            case .plan: []
            case .images: plan.crops.map { plan.turn.upright($0.output) }
            case .image, .drawing: [size(ofImageIn: plan)]
            }
        guard result.images.count == sizes.count else { return "another number of images" }
        guard result.images.allSatisfy({ $0.quality.map((1...100).contains) ?? true }) else {
            return "an invalid quality"
        }
        guard result.images.map(\.size) == sizes else { return "images of another size" }
        return nil
    }

    private func size(ofImageIn plan: FramePlan) -> PixelSize {
        if case .drawing = job.target.product { return DebugStage.size(for: plan.source.size) }
        let size = plan.turn.upright(plan.crops[0].output)
        return job.target.product.output?.size(of: size) ?? size
    }

    private func problem(in times: StageTimes) -> String? {
        times.all.map(\.time).allSatisfy(isTime) ? nil : "invalid times"
    }

    private func problem(in findings: DetectionResult?, size: PixelSize? = nil) -> String? {
        guard let findings else { return nil }
        guard job.needsFaces, size.map({ $0 == findings.size }) ?? true else {
            return "detections that were not requested"
        }
        return FindingsCheck(limits: limits, detectorName: detectorName).problem(in: findings)
    }

    private func isPossible(_ path: [PixelRect]?, _ crop: FramePlan.Crop, _ plan: FramePlan) -> Bool {
        guard let path else { return true }
        return job.options.motion == .follow && path.count <= plan.source.animation?.frames ?? 0
            && path.allSatisfy { isInside($0, in: PixelRect(plan.source.size)) && $0.size == crop.rect.size }
    }

    private func isPossible(_ mark: PlacedWatermark?, _ result: PixelSize) -> Bool {
        guard let mark else { return job.options.mark == nil }
        return job.options.mark != nil && isInside(mark.rect, in: PixelRect(result)) && mark.rect.area > 0
    }

    private func isPossible(_ crop: RotatedCrop) -> Bool {
        job.options.faceTurn != nil && [crop.centre.x, crop.centre.y].allSatisfy(isScore)
            && [crop.width, crop.height].allSatisfy { (1...1e9).contains($0) } && (-360...360).contains(crop.roll)
    }

    private func isPossible(_ bars: Letterbox) -> Bool {
        isSide(bars.size.width) && isSide(bars.size.height) && (0...1).contains(bars.left)
            && (0...1).contains(bars.above)
    }
}
