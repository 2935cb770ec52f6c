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

    /// Searches the frames that differ most for faces, and sets the frame of each face.
    ///
    /// Only the first frame is also searched rotated.
    func search(_ task: SearchTask, with search: inout any FaceSearch) throws(PipelineError) -> DetectionResult {
        let chosen = try sample()
        var findings = DetectionResult(size: header.size, detectorName: search.detectorName)
        findings.frames = chosen
        var subjects: [SubjectFindings] = []
        let stream = try frames()
        var index = 0
        while let last = chosen.last, index <= last, let frame = try next(of: stream) {
            defer { index += 1 }
            guard chosen.contains(index) else { continue }
            var pixels = SourcePixels(job: job, header: header, limits: limits.decode, image: frame.image)
            var task = task
            if index > 0 { task.searchesTurned = false }
            let found = try search.faces(in: &pixels, task, context)
            subjects.append(found.subjects ?? SubjectFindings(subjects: [], duration: .zero))
            findings.add(found, of: index)
        }
        if findings.faces.isEmpty || task.searchesSubjects { findings.subjects = .merged(subjects) }
        return findings
    }

    /// Returns the frames to search.
    private func sample() throws(PipelineError) -> [Int] {
        var sample = FrameSample()
        let stream = try frames()
        while let frame = try next(of: stream) { try codec(sample.add(frame.image)) }
        return sample.chosen
    }

    // MARK: Rendering

    /// Whether the frames of a crop together have at most the allowed number of pixels.
    func allows(_ crop: FramePlan.Crop) -> Bool {
        let pixels = animation.frames.multipliedReportingOverflow(by: crop.output.area)
        return !pixels.overflow && pixels.partialValue <= limits.maxAnimationPixels
    }

    /// Returns the reason why a crop of the animation has no frames for a video.
    func videoObstacle(_ crop: FramePlan.Crop) -> VideoObstacle {
        let size = turn.upright(crop.output)
        if min(size.width, size.height) < VideoFrameWriter.minSide { return .tooSmall(size) }
        if allows(crop) { return .tooManySearchedPixels(limit: Self.maxSearchedPixels) }
        let pixels = animation.frames.multipliedReportingOverflow(by: crop.output.area)
        return .tooManyPixels(pixels.overflow ? .max : pixels.partialValue, limit: limits.maxAnimationPixels)
    }

    /// The maximum number of pixels, in all frames together, of an animation that is written in every possible format.
    ///
    /// Writing all formats then takes about half a second.
    static let maxTriedPixels = 4_000_000

    /// Returns the animation of a crop in the format with the smallest file.
    ///
    /// An animation with more than ``maxTriedPixels`` is written in only one format. The first frame decides whether it
    /// is a drawing or a film, because AVIF is larger for drawings. A GIF with unchanged pixels is always a candidate,
    /// because it needs no new palette and is fast. The frames of a video have one format.
    func render(
        _ crop: FramePlan.Crop,
        _ steps: CropSteps,
        as formats: [OutputFormat],
        output: ImageOutput,
        copyright: CopyrightNotice?,
        redaction: FrameMasks? = nil
    ) throws(PipelineError) -> EncodedImage {
        let keepsPixels =
            !crop.hasBars && crop.rect.size == crop.output && crop.path == nil && redaction == nil
            && !steps.changeFullCrops
        let size = output.size(of: turn.upright(crop.output))
        var files: [(format: OutputFormat, bytes: [UInt8])] = []
        var formats = formats
        if formats.contains(.gif), header.format == .gif, keepsPixels {
            files.append((.gif, try cut(crop.rect)))
            formats.removeAll { $0 == .gif }
        }
        // Frame disposal may make parts of any GIF transparent.
        let hasAlpha =
            header.hasAlpha || header.format == .gif || steps.addAlpha(crop)
            || job.options.background == .transparent || job.options.mask != nil
        do {
            var writers: [(format: OutputFormat, writer: any AnimationWriter)] = []
            let stream = try AnimationDecoder.frames(job.source.array, header: header, limits: limits.decode)
            var (index, time) = (0, 0)
            let steps = try steps.prepared(for: crop)
            while !formats.isEmpty, let frame = try stream.next() {
                try context.check()
                let image = try redaction?.applied(to: frame.image, index) ?? frame.image
                let shown = crop.shown(in: index)
                let region = RenderStage.region(of: shown.rect, in: image.size, source: header.size)
                // A video has no transparency either.
                let format = output.isForVideo ? .jpeg : formats[0]
                let moment = AnimationTime(crop: shown, format: format, model: .rgb, time: time, frame: index)
                // Animated files are written without a profile.
                let original = try steps.result(of: image, region, profile: .srgb, at: moment)
                if index == 0 {
                    for format in paying(formats, crop, first: original) {
                        guard !output.isForVideo else {
                            writers.append((format, try VideoFrameWriter(original.size)))
                            continue
                        }
                        let writer = try AnimationEncoder.begin(
                            format,
                            size: size,
                            plays: animation.plays,
                            quality: output.quality?.level,
                            copyright: copyright,
                            hasAlpha: hasAlpha
                        )
                        writers.append((format, writer))
                    }
                }
                for (_, writer) in writers { try writer.add(original, milliseconds: frame.milliseconds) }
                index += 1
                time += frame.milliseconds
            }
            for (format, writer) in writers { files.append((format, try writer.finish())) }
        } catch {
            throw PipelineError(error)
        }
        guard let smallest = files.min(by: { $0.bytes.count < $1.bytes.count }) else {
            throw .codec(.failed("an animation without frames"))
        }
        let file = copyright?.added(toAnimation: smallest.bytes, as: smallest.format, size) ?? smallest.bytes
        return EncodedImage(format: smallest.format, file: (file, nil), size: size)
    }

    /// Returns those of the possible formats that are worth writing.
    private func paying(_ formats: [OutputFormat], _ crop: FramePlan.Crop, first: PlanarImage) -> [OutputFormat] {
        guard formats.count > 1, !Self.triesAll(crop.output, frames: animation.frames) else { return formats }
        let best = first.isDrawn ? formats.first { !$0.isExpensive } : formats.first
        return [best ?? formats[0]]
    }

    /// Whether an animation is small enough to be written in every possible format.
    static func triesAll(_ size: PixelSize, frames: Int) -> Bool {
        let pixels = frames.multipliedReportingOverflow(by: size.area)
        return !pixels.overflow && pixels.partialValue <= maxTriedPixels
    }

    /// Crops a GIF and keeps its palettes.
    private func cut(_ rect: PixelRect) throws(PipelineError) -> [UInt8] {
        do {
            return try GIFCropping.crop(job.source.array, to: rect, plays: animation.plays, onFrame: context.check)
        } catch {
            throw PipelineError(error)
        }
    }

    // MARK: Frames

    func frames() throws(PipelineError) -> any FrameStream {
        try codec(AnimationDecoder.frames(job.source.array, header: header, limits: limits.decode))
    }

    func next(of stream: any FrameStream) throws(PipelineError) -> AnimatedFrame? {
        try context.check()
        return try codec(stream.next())
    }
}

/// The detections in one frame of an animation.
struct FrameDetections {
    /// The detections in each view of the frame.
    let views: [DetectionResult]
    /// The display time of the frame.
    let milliseconds: Int

    /// The faces of the frame, largest first.
    var faces: [Face] {
        guard let size = views.first?.size else { return [] }
        return Duplicates.merged(views.flatMap(\.faces), in: size).kept.sorted(by: Face.isLarger)
    }
}

extension AnimationStage {
    /// The maximum number of input pixels of all searches of a job, including rotated passes; each pixel takes 15 to 30
    /// ns.
    static let maxSearchedPixels = 200_000_000

    /// The minimum changed area for another search of a frame, as a fraction of the smallest face's area.
    ///
    /// If fewer pixels change, no face can have appeared: its eyes alone have more pixels.
    private static let minChange = 0.1
    /// The minimum difference between the old and the new sample of a changed pixel.
    private static let minDifference: UInt8 = 8

    /// Returns the detections in all frames, for redaction and stickers.
    ///
    /// A frame that hardly differs from the last searched frame gets the same detections. What remains of
    /// ``maxSearchedPixels`` is divided equally among the remaining frames; `spent` is the number of pixels that the
    /// job's other searches used. The result is nil if there are too many frames to search.
    func detections(
        _ task: SearchTask,
        spent: Int,
        with search: inout any FaceSearch
    ) throws(PipelineError) -> [FrameDetections]? {
        let smallest = task.plan.passes[task.plan.passes.count - 1].smallestFace
        let maxChanged = Int(Self.minChange * smallest * smallest)
        var left = Self.maxSearchedPixels - spent
        var result: [FrameDetections] = []
        var last: (views: [Plane], found: [DetectionResult])?
        let stream = try frames()
        while let frame = try next(of: stream) {
            let views = try codec(frame.image.views.map { (view) throws(CodecError) in try frame.image.luma(view) })
            if let last, last.views.count == views.count,
                zip(last.views, views).allSatisfy({ $0.changes(from: $1, over: Self.minDifference) <= maxChanged })
            {
                result.append(FrameDetections(views: last.found, milliseconds: frame.milliseconds))
                continue
            }
            let share = max(0, left) / max(1, animation.frames - result.count)
            let found = try search.everything(in: views, atMost: share, task, context)
            guard let found else { return nil }
            left -= found.pixels
            last = (views, found.views)
            result.append(FrameDetections(views: found.views, milliseconds: frame.milliseconds))
        }
        return result
    }
}
