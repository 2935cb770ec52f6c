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

    /// The source's pixels: in colour when an image is asked for, else only what the detector looks at.
    private enum Pixels {
        case picture(PlanarImage)
        case luma(Plane)

        var size: PixelSize {
            switch self {
            case .picture(let image): image.size
            case .luma(let plane): plane.size
            }
        }

        func luma() throws(CodecError) -> Plane {
            switch self {
            case .picture(let image): try image.luma()
            case .luma(let plane): plane
            }
        }
    }

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
        var times = StageTimes()
        let firstScale = decodePlan.firstScale
        var pixels = try timed(&times.decode) { () throws(PipelineError) in try decode(scale: firstScale) }
        try cancellation.check()
        var people: [DetectionStage.Person] = []
        if job.needsFaces {
            people = try timed(&times.detect) { () throws(PipelineError) in
                try find(in: pixels, workingSize: decodePlan.workingSize, detector: &detector)
            }
            try cancellation.check()
        }
        var plan = try makePlan(people)
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
                workingSize: decodePlan.workingSize,
                duration: times.detect
            )
        }
        guard let output = job.imageOutput else { return FrameResult(image: nil, plan: plan, times: times) }
        let needed = job.rendersCrop ? plan.crops.map(decodePlan.scale(for:)).max() ?? firstScale : firstScale
        if needed > firstScale {
            pixels = try timed(&times.decode) { () throws(PipelineError) in try decode(scale: needed) }
            try cancellation.check()
        }
        guard case .picture(let image) = pixels else {
            preconditionFailure("an image is made from a picture in colour")
        }
        let images = try timed(&times.encode) { () throws(PipelineError) in
            try render(image, plan: plan, output: output)
        }
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
            images.append(try stage.render(image, crop: crop.rect, size: crop.output))
            try cancellation.check()
        }
        return images
    }

    private func decode(scale: DecodeScale) throws(PipelineError) -> Pixels {
        do {
            if job.imageOutput == nil {
                return .luma(
                    try ImageDecoder.decodeLuma(job.source, header: header, scale: scale, limits: limits.decode)
                )
            }
            return .picture(try ImageDecoder.decode(job.source, header: header, scale: scale, limits: limits.decode))
        } catch {
            throw .codec(error)
        }
    }

    private func find(
        in pixels: Pixels,
        workingSize: PixelSize,
        detector: inout any FaceDetector
    ) throws(PipelineError) -> [DetectionStage.Person] {
        let luma: Plane
        do {
            luma = try pixels.luma()
        } catch {
            throw .codec(error)
        }
        return try DetectionStage(workingSize: workingSize, sourceSize: header.size)
            .people(in: luma, detector: &detector)
    }

    private func makePlan(_ people: [DetectionStage.Person]) throws(PipelineError) -> FramePlan {
        let subjects = people.map(\.subject)
        var crops: [FramePlan.Crop] = []
        var kept = people.map { _ in false }
        for (aspect, faceIndex) in wantedCrops(faces: people.count) {
            let frame = try frame(subjects, aspect: aspect, faceIndex: faceIndex)
            if crops.isEmpty { kept = frame.kept }
            let output = job.resultSize.resolved(for: frame.crop.size, aspect: aspect)
            guard output.area <= limits.maxResultPixels else {
                throw .resultTooLarge(output, mostPixels: limits.maxResultPixels)
            }
            crops.append(
                FramePlan.Crop(
                    aspect: aspect,
                    rect: frame.crop,
                    output: output,
                    position: ObjectPosition(of: frame.crop, in: header.size),
                    decision: frame.decision
                )
            )
        }
        return FramePlan(
            source: .init(size: header.size, format: header.format, orientation: header.orientation.rawValue),
            crops: crops,
            faces: zip(people, kept).map { person, kept in
                FramePlan.Face(
                    box: person.subject.face,
                    head: person.subject.head,
                    confidence: person.detection.confidence,
                    pose: person.detection.pose,
                    kept: kept
                )
            },
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
        faceIndex: Int?
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
            return try Framer.frame(subjects, in: header.size, aspect: aspect, request: job.framing)
        } catch let error as PipelineError {
            throw error
        } catch let error as FramingError {
            throw .framing(error)
        } catch {
            preconditionFailure("the framer throws nothing else: \(error)")
        }
    }

    private func timed<Result>(
        _ total: inout Duration,
        _ stage: () throws(PipelineError) -> Result
    ) throws(PipelineError) -> Result {
        let start = ContinuousClock.now
        defer { total += .now - start }
        return try stage()
    }
}
