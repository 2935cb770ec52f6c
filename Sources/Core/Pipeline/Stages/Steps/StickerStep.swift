import FaceDetection
import Framing
import Geometry
import Imaging

/// Draws the stickers of a job on finished pictures.
struct StickerStage {
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
    mutating func stillStickers(_ plan: FramePlan) throws(PipelineError) -> StickerStage? {
        guard !job.options.stickers.isEmpty, job.target.product.output != nil else { return nil }
        guard animationStage != nil else { return try StickerStage(job, faces: plan.faces, limits: limits.decode) }
        let found = try timed(\.detect) { (work) throws(PipelineError) in
            let task = SearchTask(plan: work.decodePlan.search, size: work.header.size)
            return try work.search.faces(in: &work.source, task, work.context)
        }
        return try StickerStage(job, faces: found.faces, limits: limits.decode)
    }
}

extension StickerStage {
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

extension RenderStage {
    /// The animation of an RGB picture with stickers, before its turn, which loops for ever; nil if the result is
    /// still.
    func animation(
        of picture: PlanarImage,
        _ crop: FramePlan.Crop,
        _ stickers: StickerStage
    ) throws(CodecError) -> EncodedImage? {
        guard let format = animatedFormat(of: crop.output, stickers) else { return nil }
        let (size, mask) = (turn.upright(crop.output), MaskStage(options))
        let writer = try AnimationEncoder.begin(
            format,
            size: size,
            plays: 0,
            quality: output.quality?.level,
            copyright: copyright,
            hasAlpha: picture.alpha != nil || mask != nil
        )
        let times = stickers.times
        let mark = try mark?.scaled(for: crop.mark)
        for (index, time) in times.enumerated() {
            let end = index + 1 < times.count ? times[index + 1] : stickers.loop
            let drawn = try stickers.drawn(on: picture, crop, at: time)
            let frame = try (mask?.applied(to: drawn, as: format) ?? drawn).oriented(turn)
            try writer.add(try mark?.drawn(on: frame, crop.mark) ?? frame, milliseconds: end - time)
        }
        let bytes = try writer.finish()
        if let most = output.maxBytes, bytes.count > most { return nil }
        let file = copyright?.added(toAnimation: bytes, as: format, size) ?? bytes
        return EncodedImage(format: format, file: (file, nil), size: size)
    }

    /// The format of a result with animated stickers; nil if the result is still.
    private func animatedFormat(of size: PixelSize, _ stickers: StickerStage) -> ImageFormat? {
        guard stickers.loop > 0, !stickers.faces.isEmpty, let format = output.stickerFormat(for: header.format),
            !format.isExpensive || size.area <= limits.maxExpensivePixels
        else { return nil }
        let pixels = stickers.times.count.multipliedReportingOverflow(by: size.area)
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
