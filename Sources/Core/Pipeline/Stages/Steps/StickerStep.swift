import FaceDetection
import Framing
import Geometry
import Imaging

/// Draws the stickers of a job on finished crops, before their corners are cut.
struct StickerStep: CropStep {
    private let stickers: FaceStickers

    init?(_ materials: CropMaterials) {
        guard let stickers = materials.stickers else { return nil }
        self.stickers = stickers
    }

    /// The frames of the stickers, one that is scaled and turned, the largest result with and without them, and the
    /// encoder of an animation.
    static func bytesNeeded(_ plan: DecodePlan, _ bound: ResultBound) -> Int {
        let stickers = plan.job.options.stickers.prefix(Sticker.mostStickers)
        guard !stickers.isEmpty else { return 0 }
        let bytes = stickers.reduce(0) { $0 + $1.content.bytes } + bound.pixels * 20
        return bytes + plan.encoderBytes(ofStickers: stickers.map(\.frames).max() ?? 1, bound)
    }

    static var isInPlaceholders: Bool { false }
    static var isAnimated: Bool { true }

    var models: StepModels { .rgb }

    func applied(to picture: PlanarImage, at moment: CropMoment) throws(CodecError) -> PlanarImage {
        try stickers.drawn(on: picture, moment.crop, at: moment.time, frame: moment.frame)
    }
}

/// The stickers of a job with the faces on which they are drawn.
struct FaceStickers {
    let pictures: [StickerPictures]
    /// The faces of a still picture.
    let faces: [Face]
    /// The faces of every frame of an animation.
    var frames: [[Face]]?

    /// The stickers of a job; nil if it has none.
    init?(_ job: FrameJob, faces: [Face], limits: DecodeLimits) throws(PipelineError) {
        guard !job.options.stickers.isEmpty, job.target.product.output != nil else { return nil }
        pictures = try job.options.stickers.prefix(Sticker.mostStickers).map { (sticker) throws(PipelineError) in
            try StickerPictures(sticker, limits: limits)
        }
        self.faces = faces
    }

    /// The time after which all stickers repeat, that of the longest; 0 if none is animated.
    var loop: Int { pictures.map(\.cycle).max() ?? 0 }

    /// The times of the frames of an animation of a still picture: those of the sticker with the longest cycle.
    var times: [Int] {
        guard let longest = pictures.max(by: { $0.cycle < $1.cycle }), longest.cycle > 0 else { return [0] }
        return longest.frames.indices.map { $0 * longest.delay }
    }

    /// A finished RGB picture of a crop, before its turn, with the stickers at a time in milliseconds.
    ///
    /// `frame` is that of an animated source; nil for a still one.
    func drawn(
        on picture: PlanarImage,
        _ crop: FramePlan.Crop,
        at time: Int = 0,
        frame: Int? = nil
    ) throws(CodecError) -> PlanarImage {
        let shown =
            frame.map { index in frames.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? [] } ?? faces
        let map = CropMap(crop)
        var result = picture
        for depth in Sticker.Depth.allCases {
            for face in shown.prefix(Sticker.mostFaces) {
                for one in pictures where one.sticker.depth == depth {
                    let overlay = one.frame(at: time, of: frame == nil ? loop : nil)
                    let place = map.placed(one.sticker.place(on: face, picture: overlay.size))
                    let hidden = depth == .behind ? map.placed(RedactionMask(face)) : nil
                    result = try result.drawing(overlay, at: place, hidden: hidden)
                }
            }
        }
        return result
    }
}

/// The mapping from pixels of the upright source to pixels of a result, before its turn by the caller.
struct CropMap {
    private let crop: FramePlan.Crop

    init(_ crop: FramePlan.Crop) { self.crop = crop }

    /// A place in the source as one in the result.
    func placed(_ place: OverlayPlace) -> OverlayPlace {
        var placed = place
        placed.centre = point(place.centre)
        // A stretched picture stretches its stickers only in their size.
        let scale = (across * down).squareRoot()
        placed.width *= scale
        placed.height *= scale
        placed.roll -= crop.turned?.roll ?? 0
        return placed
    }

    /// A mask of the source as one of the result.
    func placed(_ mask: RedactionMask) -> RedactionMask {
        let scale = (across * down).squareRoot()
        return RedactionMask(
            mask.parts.map { part in
                RedactionMask.Part(
                    // The curve of a mask is 1.19 times as large as its rectangle (``RedactionShape/rounded``); 0.84
                    // undoes that.
                    centre: point(part.centre),
                    halfWidth: part.halfWidth * scale * 0.84,
                    halfHeight: part.halfHeight * scale * 0.84,
                    roll: part.roll - (crop.turned?.roll ?? 0)
                )
            }
        )
    }

    /// The smallest rectangle of the result around a rectangle of the source, which may extend beyond the result.
    func bounds(of rect: PixelRect) -> PixelRect {
        let points = [(rect.x, rect.y), (rect.maxX, rect.y), (rect.x, rect.maxY), (rect.maxX, rect.maxY)].map {
            point(PixelPoint(x: Double($0.0), y: Double($0.1)))
        }
        func bounded(_ value: Double?) -> Int { Int(min(max(value ?? 0, -1e8), 1e8)) }
        let (left, top) = (
            bounded(points.map(\.x).min()?.rounded(.down)), bounded(points.map(\.y).min()?.rounded(.down))
        )
        return PixelRect(
            x: left,
            y: top,
            width: bounded(points.map(\.x).max()?.rounded(.up)) - left,
            height: bounded(points.map(\.y).max()?.rounded(.up)) - top
        )
    }

    private var across: Double {
        crop.turned.map { Double(crop.output.width) / $0.width } ?? Double(crop.picture.width) / Double(crop.rect.width)
    }

    private var down: Double {
        crop.turned.map { Double(crop.output.height) / $0.height }
            ?? Double(crop.picture.height) / Double(crop.rect.height)
    }

    private func point(_ point: PixelPoint) -> PixelPoint {
        guard let turned = crop.turned else {
            return PixelPoint(
                x: (point.x - Double(crop.rect.x)) * across + Double(crop.picture.x),
                y: (point.y - Double(crop.rect.y)) * down + Double(crop.picture.y)
            )
        }
        let distance = PixelPoint(x: (point.x - turned.centre.x) * across, y: (point.y - turned.centre.y) * down)
        return PixelPoint(x: Double(crop.output.width) / 2, y: Double(crop.output.height) / 2)
            .moved(by: distance, turned: -turned.roll)
    }
}

extension FramePipeline {
    /// The stickers of the picture of the source; nil if the job has none.
    ///
    /// A face of an animation is in one of its frames, and the picture of the source may be no frame: the picture is
    /// searched itself.
    mutating func stillStickers(_ plan: FramePlan) throws(PipelineError) -> FaceStickers? {
        guard !job.options.stickers.isEmpty, job.target.product.output != nil else { return nil }
        guard animationStage != nil else { return try FaceStickers(job, faces: plan.faces, limits: limits.decode) }
        let found = try timed(\.detect) { (work) throws(PipelineError) in
            let task = SearchTask(plan: work.decodePlan.search, size: work.header.size)
            return try work.search.faces(in: &work.source, task, work.context)
        }
        return try FaceStickers(job, faces: found.faces, limits: limits.decode)
    }
}

extension FaceStickers {
    /// How long the place of a face is kept where it is not found, in milliseconds.
    private static let keptFace = 1000

    /// The faces of every frame, for stickers; a face that is missed stays in its place for a second.
    static func faces(in detections: [FrameDetections]) -> [[Face]] {
        var frames: [[Face]] = []
        var kept: [(face: Face, age: Int)] = []
        for frame in detections {
            let found = frame.faces.prefix(Sticker.mostFaces)
            let missed = kept.filter { one in
                one.age <= keptFace && !found.contains { $0.box.overlap(with: one.face.box) > 0.1 }
            }
            kept = found.map { (face: $0, age: 0) } + missed
            frames.append(kept.map(\.face))
            for index in kept.indices { kept[index].age += frame.milliseconds }
        }
        return frames
    }
}

extension FaceStickers {
    /// The format of the result of a still source with animated stickers; nil if the result is still.
    func animatedFormat(
        of size: PixelSize,
        _ output: ImageOutput,
        _ header: ImageHeader,
        _ limits: PipelineLimits
    ) -> ImageFormat? {
        guard loop > 0, !faces.isEmpty, let format = output.stickerFormat(for: header.format),
            !format.isExpensive || size.area <= limits.maxExpensivePixels
        else { return nil }
        let pixels = times.count.multipliedReportingOverflow(by: size.area)
        return !pixels.overflow && pixels.partialValue <= limits.maxAnimationPixels ? format : nil
    }
}

extension ImageOutput {
    /// The format of an animation of a still source with stickers; nil if no accepted format holds animations.
    func stickerFormat(for source: SourceFormat) -> ImageFormat? {
        if let format { return format.keepsAnimation && format != .png ? format : nil }
        // Without a choice, the format is the source's.
        if accepted.isEmpty { return source.writtenAnimated.flatMap { $0 == .png ? nil : $0 } }
        if let best = accepted.first, best.isExpensive, best.keepsAnimation { return best }
        return accepted.first { $0.suitsEveryAnimation && !$0.isExpensive }
    }
}

extension DecodePlan {
    /// Memory of the encoder of a still source with animated stickers, in bytes; 0 for one frame.
    fileprivate func encoderBytes(ofStickers frames: Int, _ bound: ResultBound) -> Int {
        guard frames > 1, let output = job.target.product.output, let format = output.stickerFormat(for: header.format),
            bound.size.area <= limits.maxAnimationPixels
        else { return 0 }
        let all = bound.pixels.multipliedReportingOverflow(by: frames)
        let pixels = all.overflow ? limits.maxAnimationPixels : min(all.partialValue, limits.maxAnimationPixels)
        return AnimationEncoder.bytesNeeded(format, size: bound.size, pixels: pixels, hasAlpha: true)
    }
}

extension Sticker {
    /// The number of frames, known from headers.
    fileprivate var frames: Int {
        switch content {
        case .drawn(let drawn): return drawn.count
        case .files(let files):
            guard files.count == 1 else { return files.count }
            return (try? ImageHeader.read(files[0]))?.animation?.frames ?? 1
        }
    }
}

extension Sticker.Content {
    /// The memory of the decoded frames, in bytes.
    var bytes: Int {
        switch self {
        case .drawn(let drawn): drawn.size.area * drawn.count * 4
        // These are the operator's own files, read by their headers; no frame counts for more than all may have
        // together.
        case .files(let files):
            min(
                Sticker.mostPixels,
                files.reduce(0) { sum, file in
                    let header = try? ImageHeader.read(file)
                    return sum + min(header?.animation?.pixels ?? header?.size.area ?? 0, Sticker.mostPixels)
                }
            ) * 4
        }
    }
}
