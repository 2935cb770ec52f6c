import FaceDetection
import Framing
package import ImageCodec

/// What a job may cost.
package struct PipelineLimits: Hashable, Codable, Sendable {
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
    /// - Parameters:
    ///   - detector: The worker's own detector.
    ///   - tell: Called with what a search found, whatever becomes of the job after it.
    /// - Returns: The plan, and the image if one is asked for.
    /// - Throws: ``PipelineError``.
    func run(
        detector: inout any FaceDetector,
        found tell: (FaceFindings) -> Void
    ) throws(PipelineError) -> FrameResult {
        let decodePlan = DecodePlan(
            job: job,
            header: header,
            smallestDetectableSide: detector.smallestDetectableSide
        )
        var source = SourcePixels(job: job, header: header, limits: limits.decode)
        if job.isLossless, header.losslessCropping == nil { throw .notLossless(header.format) }
        let known = job.findings.flatMap { $0.size == header.size && $0.detectorName == detector.name ? $0 : nil }
        let knowsNoAttention = known.map { !job.framing.needsAttention(for: $0.people.map(\.subject)) } ?? false
        // One decode serves the detector and the result where that is known already. Where the crop depends on
        // no pixels, it can wait for it, and leave out what is outside.
        if job.imageOutput != nil, !job.cutsFile,
            job.needsFaces && known == nil || job.mayNeedAttention && !knowsNoAttention
        {
            _ = try source.picture(atLeast: decodePlan.firstScale)
        }
        try cancellation.check()
        var times = StageTimes()
        var found: FaceFindings?
        if job.needsFaces, known == nil {
            let search = FaceSearch(
                plan: decodePlan.search,
                size: header.size,
                smallestFace: job.smallestFace.map { $0 * Double(header.size.shortSide) },
                looksTurned: job.accuracy.looksTurned
            )
            let findings = try search.run(&source, detector: &detector, cancellation: cancellation)
            try cancellation.check()
            times.detect = findings.duration
            found = findings
            tell(findings)
        }
        let findings = found ?? known ?? FaceFindings(size: header.size, detectorName: detector.name)
        let (framingStart, decoded) = (ContinuousClock.now, source.duration)
        let attention = try attention(to: findings, in: &source, scale: decodePlan.attentionScale)
        var plan = try makePlan(findings, attention: attention)
        // Attention may have decoded the source again, which counts as that.
        times.frame = .now - framingStart - (source.duration - decoded)
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
                duration: findings.duration,
                isKnown: found == nil
            )
        }
        var images: [EncodedImage] = []
        if let output = job.imageOutput, job.cutsFile {
            let start = ContinuousClock.now
            images = try cut(plan, output: output)
            times.encode = .now - start
        } else if let output = job.imageOutput {
            let image =
                if job.rendersCrop {
                    try source.part(for: rendered(plan), atLeast: neededScale(plan, decodePlan))
                } else {
                    PartialImage(whole: try source.picture(atLeast: decodePlan.firstScale))
                }
            try cancellation.check()
            let start = ContinuousClock.now
            images = try render(image, plan: plan, output: output)
            times.encode = .now - start
        }
        times.decode = source.duration
        let isOne = !job.wantsAllImages
        return FrameResult(
            image: isOne ? images.first : nil,
            images: isOne ? [] : images,
            plan: plan,
            times: times
        )
    }

    /// The crops of which images are made.
    private func rendered(_ plan: FramePlan) -> [FramePlan.Crop] {
        job.wantsAllImages ? plan.crops : Array(plan.crops.prefix(1))
    }

    /// The scale that serves all images, and is the same whether or not a search had pixels decoded before, so that equal
    /// jobs have equal images.
    private func neededScale(_ plan: FramePlan, _ decodePlan: DecodePlan) -> DecodeScale {
        let needed = rendered(plan).map(decodePlan.scale(for:)).max() ?? decodePlan.firstScale
        return job.needsFaces ? max(needed, decodePlan.firstScale) : needed
    }

    private func cut(_ plan: FramePlan, output: ImageOutput) throws(PipelineError) -> [EncodedImage] {
        let stage = RenderStage(header: header, output: output)
        var images: [EncodedImage] = []
        for crop in rendered(plan) {
            images.append(try stage.cut(job.source, crop: crop.rect, limits: limits.decode))
            try cancellation.check()
        }
        return images
    }

    private func render(
        _ image: PartialImage,
        plan: FramePlan,
        output: ImageOutput
    ) throws(PipelineError) -> [EncodedImage] {
        if case .debug(_, let showsCrop) = job.answer {
            return [
                try DebugStage(header: header, output: output, showsCrop: showsCrop).render(image.image, plan: plan)
            ]
        }
        let stage = RenderStage(header: header, output: output)
        var images: [EncodedImage] = []
        for crop in rendered(plan) {
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
        to findings: FaceFindings,
        in source: inout SourcePixels,
        scale: DecodeScale
    ) throws(PipelineError) -> AttentionProfile {
        guard job.mayNeedAttention, job.framing.needsAttention(for: findings.people.map(\.subject)) else {
            return .empty
        }
        let profile = try AttentionStage(sourceSize: header.size).profile(
            of: source.picture(exactlyAt: scale),
            // Whoever asks for attention gets the same crop whether or not somebody looked for faces as well.
            doubts: job.framing.gravity.needsFaces ? findings.doubts(after: job.accuracy) : nil
        )
        try cancellation.check()
        return profile
    }

    private func makePlan(
        _ findings: FaceFindings,
        attention: AttentionProfile
    ) throws(PipelineError) -> FramePlan {
        let people = findings.people
        let subjects = people.map(\.subject)
        var crops: [FramePlan.Crop] = []
        var kept = people.map { _ in false }
        for (aspect, faceIndex) in wantedCrops(faces: people.count) {
            var frame = try frame(subjects, aspect: aspect, faceIndex: faceIndex, attention: attention)
            if job.isLossless { try align(&frame, to: subjects) }
            if crops.isEmpty { kept = frame.kept }
            let whole = PixelRect(frame.crop.size)
            let (output, picture) =
                job.isLossless ? (whole.size, whole) : job.resultSize.resolved(for: frame, aspect: aspect)
            guard output.area <= limits.maxResultPixels else {
                throw .resultTooLarge(output, mostPixels: limits.maxResultPixels)
            }
            crops.append(
                FramePlan.Crop(
                    aspect: aspect,
                    rect: frame.crop,
                    unclamped: frame.unclamped,
                    output: output,
                    letterbox: frame.letterbox,
                    picture: picture,
                    position: ObjectPosition(of: frame, in: header.size),
                    decision: frame.decision,
                    outcomes: frame.outcomes,
                    faceFree: FaceFreeArea.largest(in: frame.crop, heads: subjects.map(\.head))
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

    /// Moves a crop to where the source can be cut without loss.
    private func align(_ frame: inout Frame, to subjects: [Subject]) throws(PipelineError) {
        let kept = zip(subjects, frame.kept).filter(\.1).map(\.0.head)
        guard let crop = header.losslessCropping?.grid.aligned(frame.crop, keeping: kept) else {
            throw .notLossless(header.format)
        }
        frame.move(to: crop, subjects: subjects)
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
