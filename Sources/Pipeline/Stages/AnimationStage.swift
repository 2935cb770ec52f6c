import FaceDetection
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
    ///   - mark: Draws the watermark on every frame; nil for none.
    /// - Returns: The encoded file.
    /// - Throws: ``PipelineError``.
    func render(
        _ crop: FramePlan.Crop,
        _ effects: EffectStage,
        as format: ImageFormat,
        quality: Int?,
        copyright: CopyrightNotice?,
        redaction: FrameMasks? = nil,
        stickers: StickerStage? = nil,
        mark: MarkStage? = nil
    ) throws(PipelineError) -> EncodedImage {
        func encoded(_ file: [UInt8], _ size: PixelSize) -> EncodedImage {
            let file = copyright?.added(toAnimation: file, as: format, size) ?? file
            return EncodedImage(format: format, file: (file, nil), size: size)
        }
        let keepsPixels =
            turn == .up && !crop.hasBars && crop.rect.size == crop.output && crop.path == nil
            && redaction == nil && stickers == nil && mark == nil && job.options.mask == nil
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
                picture = try picture.oriented(turn)
                if let mark { picture = try mark.drawn(on: picture, crop.mark) }
                try writer.add(picture, milliseconds: frame.milliseconds)
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
