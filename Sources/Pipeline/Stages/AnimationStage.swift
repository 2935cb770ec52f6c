import FaceDetection
import Framing
import Geometry
import Imaging

/// Searches the frames of an animation for faces, and crops, scales and encodes them one after the other.
struct AnimationStage {
    let job: FrameJob
    let header: ImageHeader
    let animation: AnimationInfo
    let limits: PipelineLimits
    let context: JobContext

    private var turn: Orientation { job.options.turn }

    // MARK: Search

    /// Searches frames that differ for faces.
    ///
    /// - Parameters:
    ///   - search: The search of one frame; only the first is also searched turned.
    ///   - detector: The detector of the worker.
    /// - Returns: The faces of all searched frames, each with its frame.
    /// - Throws: ``PipelineError``.
    func search(_ search: FaceSearch, detector: inout any FaceDetector) throws(PipelineError) -> FaceFindings {
        let chosen = try sample()
        var findings = FaceFindings(size: header.size, detectorName: detector.name)
        findings.frames = chosen
        let stream = try frames()
        var index = 0
        while let last = chosen.last, index <= last, let frame = try next(of: stream) {
            defer { index += 1 }
            guard chosen.contains(index) else { continue }
            var pixels = SourcePixels(job: job, header: header, limits: limits.decode, picture: frame.image)
            let one = try search.turning(index == 0 && search.looksTurned)
                .run(&pixels, detector: &detector, context: context)
            findings.add(one, of: index)
        }
        return findings
    }

    /// The frames to search.
    private func sample() throws(PipelineError) -> [Int] {
        var sample = FrameSample()
        let stream = try frames()
        while let frame = try next(of: stream) {
            do {
                try sample.add(frame.image)
            } catch {
                throw .codec(error)
            }
        }
        return sample.chosen
    }

    // MARK: Rendering

    /// Whether the frames of a crop together are within the limit on pixels.
    func allows(_ crop: FramePlan.Crop) -> Bool {
        let pixels = animation.frames.multipliedReportingOverflow(by: crop.output.area)
        return !pixels.overflow && pixels.partialValue <= limits.maxAnimationPixels
    }

    /// The animation of a crop.
    ///
    /// - Parameters:
    ///   - crop: The crop of all frames.
    ///   - effects: The effects on every frame.
    ///   - format: A format that holds animations.
    ///   - quality: The level for the encoder; nil for its default.
    ///   - copyright: The notice of copyright to write; nil for none.
    ///   - redaction: The masks of every frame; nil for none.
    ///   - stickers: What is drawn on faces; nil for nothing.
    /// - Returns: The encoded file.
    /// - Throws: ``PipelineError``.
    func render(
        _ crop: FramePlan.Crop,
        _ effects: EffectStage,
        as format: ImageFormat,
        quality: Int?,
        copyright: CopyrightNotice?,
        redaction: FrameMasks? = nil,
        stickers: StickerStage? = nil
    ) throws(PipelineError) -> EncodedImage {
        func encoded(_ file: [UInt8], _ size: PixelSize) -> EncodedImage {
            let file = copyright?.added(toAnimation: file, as: format, size) ?? file
            return EncodedImage(format: format, file: (file, nil), size: size)
        }
        let keepsPixels =
            turn == .up && !crop.hasBars && crop.rect.size == crop.output && crop.path == nil
            && redaction == nil && stickers == nil && job.options.mask == nil
            && !EffectStage.isNeeded(job.options)
        if format == .gif, header.format == .gif, keepsPixels {
            return encoded(try cut(crop.rect), crop.output)
        }
        let size = turn.upright(crop.output)
        let mask = MaskStage(job.options)
        do {
            let writer = try AnimationEncoder.begin(
                format,
                size: size,
                plays: animation.plays,
                quality: quality,
                copyright: copyright,
                // Disposal makes any GIF transparent.
                hasAlpha: header.hasAlpha || header.format == .gif || effects.addsAlpha
                    || job.options.background == .transparent || mask != nil
            )
            let stream = try AnimationDecoder.frames(job.source.array, header: header, limits: limits.decode)
            var (index, time) = (0, 0)
            while let frame = try stream.next() {
                try context.check()
                let image = try redaction?.applied(to: frame.image, index) ?? frame.image
                var picture = try picture(of: image, crop.shown(in: index), effects)
                if let stickers { picture = try stickers.drawn(on: picture, crop, at: time, frame: index) }
                if let mask { picture = try mask.applied(to: picture, as: format) }
                try writer.add(try picture.oriented(turn), milliseconds: frame.milliseconds)
                index += 1
                time += frame.milliseconds
            }
            return encoded(try writer.finish(), size)
        } catch {
            throw Self.failure(error)
        }
    }

    /// The crop of one frame: scaled, and on its background, before its turn.
    private func picture(
        of frame: PlanarImage,
        _ crop: FramePlan.Crop,
        _ effects: EffectStage
    ) throws(CodecError) -> PlanarImage {
        let region = RenderStage.region(of: crop.rect, in: frame.size, source: header.size)
        // Animated files are written without a profile.
        let picture = try effects.picture(of: frame, region, to: crop.picture.size, model: .rgb, profile: .srgb)
        guard crop.hasBars || job.options.flattensAlpha else { return picture }
        return try picture.laid(on: job.options.background, of: crop.output, at: crop.picture)
    }

    /// Crops a GIF without choosing colours anew.
    private func cut(_ rect: PixelRect) throws(PipelineError) -> [UInt8] {
        do {
            return try GIFCropping.crop(job.source.array, to: rect, plays: animation.plays, onFrame: context.check)
        } catch {
            throw Self.failure(error)
        }
    }

    // MARK: Frames

    func frames() throws(PipelineError) -> any FrameStream {
        do {
            return try AnimationDecoder.frames(job.source.array, header: header, limits: limits.decode)
        } catch {
            throw .codec(error)
        }
    }

    func next(of stream: any FrameStream) throws(PipelineError) -> AnimatedFrame? {
        try context.check()
        do {
            return try stream.next()
        } catch {
            throw .codec(error)
        }
    }

    private static func failure(_ error: any Error) -> PipelineError {
        switch error {
        case let error as PipelineError: error
        case let error as CodecError: .codec(error)
        default: .codec(.failed("\(error)"))
        }
    }
}

extension FramePipeline {
    /// The animated result; nil if the result is still.
    ///
    /// - Parameters:
    ///   - plan: The plan, which gets the number of covered heads.
    ///   - effects: The effects on every frame.
    /// - Returns: The encoded file.
    /// - Throws: ``PipelineError``.
    mutating func animated(
        _ plan: inout FramePlan,
        _ effects: EffectStage
    ) throws(PipelineError) -> EncodedImage? {
        guard let (animationStage, format, output) = animatedResult(plan) else { return nil }
        var stickers = try StickerStage(job, faces: [], limits: limits)
        var masks: FrameMasks?
        if job.options.redaction != nil || stickers != nil {
            let start = ContinuousClock.now
            // One search serves both.
            let passes = job.options.redaction == nil ? decodePlan.search : decodePlan.redactionSearch
            let search = FaceSearch(plan: passes, size: header.size, smallestFace: nil, looksTurned: true)
            let detections = try animationStage.detections(search, spent: searchedPixels, detector: &detector)
            times.detect += .now - start
            guard let detections else { return nil }
            stickers?.frames = StickerStage.faces(in: detections)
            if let redaction = job.options.redaction {
                let made = try FrameMasks(redaction, detections, faces: plan.faces, size: header.size)
                plan.coveredHeads = made.headCount
                masks = made
            }
        }
        let start = ContinuousClock.now
        defer { times.encode += .now - start }
        let image = try animationStage.render(
            plan.crops[0],
            effects,
            as: format,
            quality: output.quality?.level,
            copyright: copyright(output),
            redaction: masks,
            stickers: stickers
        )
        // One encoding of an animation takes too long to search for its quality.
        if let most = output.maxBytes, image.bytes.count > most { return nil }
        return image
    }

    /// How an animated result is made; nil if the result is still.
    func animatedResult(_ plan: FramePlan) -> (stage: AnimationStage, format: ImageFormat, output: ImageOutput)? {
        guard let animationStage, job.rendering == .scaling, case .image(let output) = job.answer.product,
            let format = output.resolvedAnimated(for: header, size: plan.crops[0].output, limits: limits),
            animationStage.allows(plan.crops[0])
        else { return nil }
        return (animationStage, format, output)
    }
}

/// The detections in one frame of an animation.
struct FrameDetections {
    /// The detections in each view of the frame.
    let views: [FaceFindings]
    /// The time for which the frame is shown.
    let milliseconds: Int

    /// The faces of the frame, largest first.
    var faces: [Face] {
        guard let size = views.first?.size else { return [] }
        return Duplicates.merged(views.flatMap(\.faces), in: size).kept.sorted(by: Face.isLarger)
    }
}

extension AnimationStage {
    /// The most pixels that all searches of a job look at, turned passes included; 15 to 30 ns each.
    static let mostSearchedPixels = 200_000_000

    /// The share of the smallest face's area that has to change for another search of a frame.
    ///
    /// A face cannot appear with fewer changed pixels: its eyes alone are more.
    private static let leastChange = 0.1
    /// The difference of two samples from which a pixel has changed.
    private static let leastDifference: UInt8 = 8

    /// The detections in all frames, for everything that is drawn on or over faces.
    ///
    /// A frame that does not differ from the last searched one has its detections. Each search may look at an equal share
    /// of the pixels that are left for the frames to come.
    ///
    /// - Parameters:
    ///   - search: The passes.
    ///   - spent: The pixels that other searches of the job looked at.
    ///   - detector: The detector of the worker.
    /// - Returns: The detections; nil if there are too many frames to search.
    /// - Throws: ``PipelineError``.
    func detections(
        _ search: FaceSearch,
        spent: Int,
        detector: inout any FaceDetector
    ) throws(PipelineError) -> [FrameDetections]? {
        let smallest = search.plan.looks[search.plan.looks.count - 1].smallestFace
        let mostChanged = Int(Self.leastChange * smallest * smallest)
        var left = Self.mostSearchedPixels - spent
        var result: [FrameDetections] = []
        var last: (views: [Plane], found: [FaceFindings])?
        let stream = try frames()
        while let frame = try next(of: stream) {
            let views: [Plane]
            do {
                views = try frame.image.views.map { (view) throws(CodecError) in try frame.image.luma(view) }
            } catch {
                throw .codec(error)
            }
            if let last, last.views.count == views.count,
                zip(last.views, views).allSatisfy({ $0.changes(from: $1, over: Self.leastDifference) <= mostChanged })
            {
                result.append(FrameDetections(views: last.found, milliseconds: frame.milliseconds))
                continue
            }
            let share = max(0, left) / max(1, animation.frames - result.count)
            let found = try search.everything(in: views, atMost: share, detector: &detector, context: context)
            guard let found else { return nil }
            left -= found.pixels
            last = (views, found.views)
            result.append(FrameDetections(views: found.views, milliseconds: frame.milliseconds))
        }
        return result
    }
}
