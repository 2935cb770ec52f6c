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

    /// The most pixels of all frames together of which every possible format is written, which takes about half a second.
    static let mostTriedPixels = 4_000_000

    /// The animation of a crop in the format that makes it smallest.
    ///
    /// Beyond ``mostTriedPixels``, the first frame decides between a drawing, for which AVIF is larger, and a film. A GIF
    /// whose pixels stay as they are is always among the files, because it is cut in no time.
    ///
    /// - Parameters:
    ///   - crop: The crop of all frames.
    ///   - effects: The effects on every frame.
    ///   - formats: Formats that hold animations, the one to prefer for films first; at least one.
    ///   - quality: The level for the encoder; nil for its default.
    ///   - copyright: The notice of copyright to write; nil for none.
    ///   - redaction: The masks of every frame; nil for none.
    ///   - stickers: What is drawn on faces; nil for nothing.
    /// - Returns: The encoded file.
    /// - Throws: ``PipelineError``.
    func render(
        _ crop: FramePlan.Crop,
        _ effects: EffectStage,
        as formats: [ImageFormat],
        quality: Int?,
        copyright: CopyrightNotice?,
        redaction: FrameMasks? = nil,
        stickers: StickerStage? = nil
    ) throws(PipelineError) -> EncodedImage {
        let keepsPixels =
            turn == .up && !crop.hasBars && crop.rect.size == crop.output && crop.path == nil
            && redaction == nil && stickers == nil && job.options.mask == nil
            && !EffectStage.isNeeded(job.options)
        let size = turn.upright(crop.output)
        var files: [(format: ImageFormat, bytes: [UInt8])] = []
        var formats = formats
        if formats.contains(.gif), header.format == .gif, keepsPixels {
            files.append((.gif, try cut(crop.rect)))
            formats.removeAll { $0 == .gif }
        }
        let mask = MaskStage(job.options)
        // Disposal makes any GIF transparent.
        let hasAlpha =
            header.hasAlpha || header.format == .gif || effects.addsAlpha
            || job.options.background == .transparent || mask != nil
        do {
            var writers: [(format: ImageFormat, writer: any AnimationWriter)]?
            let stream = try AnimationDecoder.frames(job.source.array, header: header, limits: limits.decode)
            var (index, time) = (0, 0)
            while !formats.isEmpty, let frame = try stream.next() {
                try context.check()
                let image = try redaction?.applied(to: frame.image, index) ?? frame.image
                var picture = try picture(of: image, crop.shown(in: index), effects)
                if let stickers { picture = try stickers.drawn(on: picture, crop, at: time, frame: index) }
                if let mask { picture = try mask.applied(to: picture, as: formats[0]) }
                picture = try picture.oriented(turn)
                if writers == nil {
                    writers = []
                    for format in paying(formats, crop, first: picture) {
                        let writer = try AnimationEncoder.begin(
                            format,
                            size: size,
                            plays: animation.plays,
                            quality: quality,
                            copyright: copyright,
                            hasAlpha: hasAlpha
                        )
                        writers?.append((format, writer))
                    }
                }
                for (_, writer) in writers ?? [] { try writer.add(picture, milliseconds: frame.milliseconds) }
                index += 1
                time += frame.milliseconds
            }
            for (format, writer) in writers ?? [] { files.append((format, try writer.finish())) }
        } catch {
            throw Self.failure(error)
        }
        guard let smallest = files.min(by: { $0.bytes.count < $1.bytes.count }) else {
            throw .codec(.failed("an animation without frames"))
        }
        let file = copyright?.added(toAnimation: smallest.bytes, as: smallest.format, size) ?? smallest.bytes
        return EncodedImage(format: smallest.format, file: (file, nil), size: size)
    }

    /// The formats to write, of those that are possible.
    private func paying(_ formats: [ImageFormat], _ crop: FramePlan.Crop, first: PlanarImage) -> [ImageFormat] {
        guard formats.count > 1, !Self.triesAll(crop.output, frames: animation.frames) else { return formats }
        let best = first.isDrawn ? formats.first { !$0.isExpensive } : formats.first
        return [best ?? formats[0]]
    }

    /// Whether an animation is small enough to write it in every possible format.
    static func triesAll(_ size: PixelSize, frames: Int) -> Bool {
        let pixels = frames.multipliedReportingOverflow(by: size.area)
        return !pixels.overflow && pixels.partialValue <= mostTriedPixels
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
