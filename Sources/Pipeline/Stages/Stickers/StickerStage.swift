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
    let limits: PipelineLimits

    /// The stickers of a job; nil if it has none.
    ///
    /// - Throws: ``PipelineError/codec(_:)``.
    init?(_ job: FrameJob, faces: [Face], limits: PipelineLimits) throws(PipelineError) {
        guard !job.options.stickers.isEmpty, job.answer.product.output != nil else { return nil }
        var pictures: [StickerPictures] = []
        for sticker in job.options.stickers.prefix(Sticker.mostStickers) {
            pictures.append(try StickerPictures(sticker, limits: limits.decode))
        }
        self.pictures = pictures
        self.faces = faces
        self.limits = limits
    }

    /// The time after which all stickers repeat, that of the longest; 0 if none is animated.
    var loop: Int { pictures.map(\.cycle).max() ?? 0 }

    /// The times of the frames of an animation of a still picture: those of the sticker with the longest cycle.
    var times: [Int] {
        guard let longest = pictures.max(by: { $0.cycle < $1.cycle }), longest.cycle > 0 else { return [0] }
        return longest.frames.indices.map { $0 * longest.delay }
    }

    /// A finished picture with the stickers at a time.
    ///
    /// - Parameters:
    ///   - picture: An RGB picture, before the turn of the result.
    ///   - crop: The crop that it shows.
    ///   - time: In milliseconds from the beginning.
    ///   - frame: The frame of an animated source; nil for a still one.
    /// - Returns: The picture with stickers.
    /// - Throws: ``CodecError``.
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
                    // The mask of a redacted head is larger than the head.
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
        if let turned = crop.turned { return Double(crop.output.width) / turned.width }
        return Double(crop.picture.width) / Double(crop.rect.width)
    }

    private var down: Double {
        if let turned = crop.turned { return Double(crop.output.height) / turned.height }
        return Double(crop.picture.height) / Double(crop.rect.height)
    }

    private func point(_ point: PixelPoint) -> PixelPoint {
        guard let turned = crop.turned else {
            return PixelPoint(
                x: (point.x - Double(crop.rect.x)) * across + Double(crop.picture.x),
                y: (point.y - Double(crop.rect.y)) * down + Double(crop.picture.y)
            )
        }
        let distance = PixelPoint(
            x: (point.x - turned.centre.x) * across,
            y: (point.y - turned.centre.y) * down
        )
        return PixelPoint(x: Double(crop.output.width) / 2, y: Double(crop.output.height) / 2)
            .moved(by: distance, turned: -turned.roll)
    }
}
