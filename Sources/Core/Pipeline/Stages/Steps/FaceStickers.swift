import FaceDetection
import Framing
import Geometry
import Imaging

/// The stickers of a job and the faces for them.
struct FaceStickers {
    let images: [StickerImages]
    /// The faces of a still image.
    let faces: [Face]
    /// The faces of every frame of an animation.
    var frames: [[Face]]?

    /// Creates the stickers of a job; nil for a job without stickers.
    init?(_ job: FrameJob, faces: [Face], limits: DecodeLimits) throws(PipelineError) {
        guard !job.options.stickers.isEmpty, job.target.product.output != nil else { return nil }
        images = try job.options.stickers.prefix(Sticker.maxStickers).map { (sticker) throws(PipelineError) in
            try StickerImages(sticker, limits: limits)
        }
        self.faces = faces
    }

    /// The period of all stickers together, which is the longest cycle; 0 if no sticker is animated.
    var loop: Int { images.map(\.cycle).max() ?? 0 }

    /// The frame times of an animation of a still image; they are the frame times of the sticker with the longest
    /// cycle.
    var times: [Int] {
        guard let longest = images.max(by: { $0.cycle < $1.cycle }), longest.cycle > 0 else { return [0] }
        return longest.frames.indices.map { $0 * longest.delay }
    }

    /// Draws the stickers at a time, in milliseconds, on the finished RGB image of a crop before its rotation.
    ///
    /// `frame` is the frame of an animated source; nil for a still source.
    func drawn(
        on image: PlanarImage,
        _ crop: FramePlan.Crop,
        at time: Int = 0,
        frame: Int? = nil
    ) throws(CodecError) -> PlanarImage {
        let shown =
            frame.map { index in frames.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? [] } ?? faces
        let map = CropMap(crop)
        var result = image
        for depth in Sticker.Depth.allCases {
            for face in shown.prefix(Sticker.maxFaces) {
                for one in images where one.sticker.depth == depth && !one.sticker.isOmitted(on: face) {
                    let overlay = one.frame(at: time, of: frame == nil ? loop : nil)
                    let place = map.placed(one.sticker.place(on: face, image: overlay.size))
                    let hidden = depth == .behind ? map.placed(RedactionMask(face)) : nil
                    result = try result.drawing(overlay, at: place, hidden: hidden)
                }
            }
        }
        return result
    }
}

extension FaceStickers {
    /// The maximum time that a missed face keeps its position, in milliseconds.
    private static let keptFace = 1000

    /// Returns the faces of every frame, for stickers; a missed face keeps its position for a second.
    static func faces(in detections: [FrameDetections]) -> [[Face]] {
        var frames: [[Face]] = []
        var kept: [(face: Face, age: Int)] = []
        for frame in detections {
            let found = frame.faces.prefix(Sticker.maxFaces)
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
    /// Returns the format of the result of a still source with animated stickers; nil if the result is still.
    func animatedFormat(
        of size: PixelSize,
        _ output: ImageOutput,
        _ header: ImageHeader,
        _ limits: PipelineLimits
    ) -> OutputFormat? {
        guard loop > 0, !faces.isEmpty,
            let format = output.holding(size, for: header.format).stickerFormat(for: header.format),
            !format.isExpensive || size.area <= limits.maxExpensivePixels
        else { return nil }
        let pixels = times.count.multipliedReportingOverflow(by: size.area)
        return !pixels.overflow && pixels.partialValue <= limits.maxAnimationPixels ? format : nil
    }
}
