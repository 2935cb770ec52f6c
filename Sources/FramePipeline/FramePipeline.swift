import FaceDetection
import Framing
package import ImageCodec

/// What a job may cost.
package struct PipelineLimits: Hashable, Sendable {
    /// The most pixels and the longest side of a source, checked before a pixel is decoded.
    package var decode: DecodeLimits
    /// The most pixels of a result.
    package var maxResultPixels: Int

    /// Limits as given.
    package init(decode: DecodeLimits = DecodeLimits(), maxResultPixels: Int = 50_000_000) {
        self.decode = decode
        self.maxResultPixels = maxResultPixels
    }
}

/// One job from bytes to bytes: read, decode, detect, frame, render.
struct FramePipeline {
    let job: FrameJob
    let header: ImageHeader
    let limits: PipelineLimits
    let cancellation: Cancellation

    /// Runs the job on the calling thread.
    ///
    /// - Parameter detector: The worker's own detector.
    /// - Returns: The plan, and the image if one is asked for.
    /// - Throws: ``PipelineError``.
    func run(detector: inout any FaceDetector) throws(PipelineError) -> FrameResult {
        let decodePlan = DecodePlan(
            job: job,
            header: header,
            smallestDetectableSide: detector.smallestDetectableSide
        )
        var source = SourcePixels(job: job, header: header, limits: limits.decode)
        // One decode serves the detector and the result where that is known already.
        if job.imageOutput != nil { _ = try source.picture(atLeast: decodePlan.firstScale) }
        try cancellation.check()
        var findings = FaceSearch.Findings()
        if job.needsFaces {
            let search = FaceSearch(
                plan: decodePlan.search,
                size: header.size,
                triesQuarterTurns: header.orientation == .up
            )
            findings = try search.run(&source, detector: &detector, cancellation: cancellation)
            try cancellation.check()
        }
        var times = StageTimes()
        times.detect = findings.looks.reduce(.zero) { $0 + $1.duration }
        let attention = try attention(to: findings.people.map(\.subject), in: &source, scale: decodePlan.attentionScale)
        var plan = try makePlan(findings, attention: attention)
        if job.wantsPortraits {
            let pixels = plan.crops.reduce(0) { $0 + $1.output.area }
            guard pixels <= decodePlan.mostPortraitPixels else {
                throw .portraitsTooLarge(pixels: pixels, mostPixels: decodePlan.mostPortraitPixels)
            }
        }
        if job.needsFaces {
            plan.detector = FramePlan.Detector(
                name: detector.name,
                accuracy: job.accuracy,
                looks: findings.looks,
                duration: times.detect
            )
        }
        var images: [EncodedImage] = []
        if let output = job.imageOutput {
            let needed = job.rendersCrop ? plan.crops.map(decodePlan.scale(for:)).max() : nil
            let image = try source.picture(atLeast: needed ?? decodePlan.firstScale)
            try cancellation.check()
            let start = ContinuousClock.now
            images = try render(image, plan: plan, output: output)
            times.encode = .now - start
        }
        times.decode = source.duration
        let isOne = !job.wantsAllImages
        return FrameResult(image: isOne ? images.first : nil, images: isOne ? [] : images, plan: plan, times: times)
    }

    private func render(
        _ image: PlanarImage,
        plan: FramePlan,
        output: ImageOutput
    ) throws(PipelineError) -> [EncodedImage] {
        if case .debug(_, let showsCrop) = job.answer {
            return [try DebugStage(header: header, output: output, showsCrop: showsCrop).render(image, plan: plan)]
        }
        let stage = RenderStage(header: header, output: output)
        var images: [EncodedImage] = []
        for crop in job.wantsAllImages ? plan.crops[...] : plan.crops.prefix(1) {
            if crop.hasBars {
                let stage = PadStage(header: header, output: output, background: job.background)
                images.append(try stage.render(image, crop: crop.rect, at: crop.picture, size: crop.output))
            } else {
                images.append(try stage.render(image, crop: crop.rect, size: crop.output))
            }
            try cancellation.check()
        }
        return images
    }

    /// Where there is something to look at, if the crop depends on it.
    private func attention(
        to subjects: [Subject],
        in source: inout SourcePixels,
        scale: DecodeScale
    ) throws(PipelineError) -> AttentionProfile {
        guard job.mayNeedAttention, job.framing.needsAttention(for: subjects) else { return .empty }
        let profile = try AttentionStage(sourceSize: header.size).profile(of: source.picture(exactlyAt: scale))
        try cancellation.check()
        return profile
    }

    private func makePlan(
        _ findings: FaceSearch.Findings,
        attention: AttentionProfile
    ) throws(PipelineError) -> FramePlan {
        let people = findings.people
        let subjects = people.map(\.subject)
        var crops: [FramePlan.Crop] = []
        var kept = people.map { _ in false }
        for (aspect, faceIndex) in wantedCrops(faces: people.count) {
            let frame = try frame(subjects, aspect: aspect, faceIndex: faceIndex, attention: attention)
            if crops.isEmpty { kept = frame.kept }
            let (output, picture) = job.resultSize.resolved(for: frame, aspect: aspect)
            guard output.area <= limits.maxResultPixels else {
                throw .resultTooLarge(output, mostPixels: limits.maxResultPixels)
            }
            crops.append(
                FramePlan.Crop(
                    aspect: aspect,
                    rect: frame.crop,
                    output: output,
                    letterbox: frame.letterbox,
                    picture: picture,
                    position: ObjectPosition(of: frame, in: header.size),
                    decision: frame.decision
                )
            )
        }
        return FramePlan(
            source: .init(size: header.size, format: header.format, orientation: header.orientation.rawValue),
            crops: crops,
            faces: zip(people, kept).map { person, kept in
                FramePlan.Face(
                    box: person.box.intersection(PixelRect(header.size)),
                    head: person.subject.head,
                    confidence: person.confidence,
                    pose: person.pose,
                    kept: kept
                )
            },
            ignored: findings.ignored,
            detector: nil
        )
    }

    /// The shape of each crop, and the face it shows if it is the picture of one.
    private func wantedCrops(faces count: Int) -> [(aspect: AspectRatio?, faceIndex: Int?)] {
        if job.wantsPortraits { return (0..<count).map { (job.aspects[0], $0 + 1) } }
        return job.aspects.map { ($0, job.faceIndex) }
    }

    private func frame(
        _ subjects: [Subject],
        aspect: AspectRatio?,
        faceIndex: Int?,
        attention: AttentionProfile
    ) throws(PipelineError) -> Frame {
        do {
            if let index = faceIndex {
                guard subjects.indices.contains(index - 1) else {
                    throw PipelineError.noSuchFace(index: index, found: subjects.count)
                }
                return try Framer.portrait(
                    index,
                    of: subjects,
                    in: header.size,
                    aspect: aspect,
                    padding: job.framing.padding
                )
            }
            return try Framer.frame(
                subjects,
                in: header.size,
                aspect: aspect,
                request: job.framing,
                attention: attention
            )
        } catch let error as PipelineError {
            throw error
        } catch let error as FramingError {
            throw .framing(error)
        } catch {
            preconditionFailure("the framer throws nothing else: \(error)")
        }
    }
}
