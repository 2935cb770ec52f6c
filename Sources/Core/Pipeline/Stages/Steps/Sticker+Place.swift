import FaceDetection
import Framing
import Geometry
import Glibc
import Imaging

extension Sticker {
    /// Whether the sticker is omitted on a face because it needs landmarks and the face's landmarks are uncertain.
    func isOmitted(on face: Face) -> Bool { needsLandmarks && face.landmarks != nil && face.sureLandmarks == nil }

    /// Returns the place of a sticker on a face, in pixels of the upright source; it may lie outside the source.
    ///
    /// `size` is the size of the sticker's images.
    func place(on face: Face, image size: PixelSize) -> OverlayPlace {
        let points = StickerPoints(face)
        let length = max(1, width * (unit == .face ? points.faceWidth : points.eyeDistance))
        let height = length * Double(size.height) / Double(size.width)
        let scale = length / width
        var (anchor, across, down) = (points.eyes, x * scale, y * scale)
        switch self.anchor {
        case .eyes: break
        case .mouth: anchor = points.mouth
        case .face: (anchor, down) = (points.face, down - (stands ? points.faceHeight / 2 + height / 2 : 0))
        case .head: (anchor, down) = (points.head, down - (stands ? points.headHeight / 2 + height / 2 : 0))
        }
        // An offset that is NaN or infinite counts as 0.
        (across, down) = (across.isFinite ? across : 0, down.isFinite ? down : 0)
        return OverlayPlace(
            centre: anchor.moved(by: PixelPoint(x: across, y: down), turned: points.roll),
            width: length,
            height: height,
            roll: points.roll
        )
    }
}

/// The anchor points of stickers on a face, in pixels of the upright source.
private struct StickerPoints {
    let eyes: PixelPoint
    let mouth: PixelPoint
    let face: PixelPoint
    let head: PixelPoint
    let faceWidth: Double
    let faceHeight: Double
    let headHeight: Double
    let eyeDistance: Double
    let roll: Double

    init(_ face: Face) {
        // Landmarks of low confidence give no reliable roll.
        let known = face.sureLandmarks
        roll = known?.roll ?? 0
        let side = Double(face.box.size.longSide)
        let middle = face.box.centre
        let quarters = (roll / 90).rounded()
        let lies = Int(quarters) % 2 != 0
        let (faceRect, headRect) = (face.subject.face, face.subject.head)
        faceWidth = Double(lies ? faceRect.height : faceRect.width)
        faceHeight = Double(lies ? faceRect.width : faceRect.height)
        headHeight = Double(lies ? headRect.width : headRect.height)
        func turned(_ rect: PixelRect) -> PixelPoint {
            let place = rect.centre
            let distance = PixelPoint(x: place.x - middle.x, y: place.y - middle.y)
            return middle.moved(by: distance, turned: remainder(known?.roll ?? 0, 90))
        }
        self.face = turned(faceRect)
        head = turned(headRect)
        if let known {
            eyes = known.leftEye.middle(to: known.rightEye)
            mouth = known.mouthLeft.middle(to: known.mouthRight)
            eyeDistance = max(hypot(known.rightEye.x - known.leftEye.x, known.rightEye.y - known.leftEye.y), side / 10)
        } else {
            // Without landmarks, or with uncertain landmarks, the proportions of a frontal face apply.
            eyes = PixelPoint(x: middle.x, y: middle.y - 0.22 * side)
            mouth = PixelPoint(x: middle.x, y: middle.y + 0.27 * side)
            eyeDistance = 0.4 * side
        }
    }
}

/// The decoded frames of a sticker.
struct StickerImages {
    let sticker: Sticker
    /// RGB images of one size; at least one.
    let frames: [PlanarImage]
    /// The duration of each frame in milliseconds.
    let delay: Int

    /// The duration of all frames, in milliseconds; 0 for a single frame.
    var cycle: Int { frames.count > 1 ? frames.count * delay : 0 }

    /// Decodes the frames.
    ///
    /// - Throws: ``PipelineError/codec(_:)``.
    init(_ sticker: Sticker, limits: DecodeLimits) throws(PipelineError) {
        self.sticker = sticker
        switch sticker.content {
        case .drawn(let drawn): (frames, delay) = (try codec(drawn.frames()), sticker.delay ?? 50)
        case .files(let files): (frames, delay) = try codec(Self.decoded(files, sticker.delay, limits))
        }
    }

    /// Returns the frame at a time in milliseconds.
    ///
    /// With a `loop`, the frames repeat after this time, and the cycle is adjusted so that the loop contains a whole
    /// number of cycles.
    func frame(at time: Int, of loop: Int? = nil) -> PlanarImage {
        guard cycle > 0 else { return frames[0] }
        guard let loop, loop > 0 else { return frames[(time % cycle) / delay] }
        let cycles = max(1, Int((Double(loop) / Double(cycle)).rounded()))
        let place = Double(time) / Double(loop) * Double(cycles)
        let share = place - place.rounded(.down)
        return frames[min(Int(share * Double(frames.count)), frames.count - 1)]
    }

    private static func decoded(
        _ files: [[UInt8]],
        _ delay: Int?,
        _ limits: DecodeLimits
    ) throws(CodecError) -> ([PlanarImage], Int) {
        var frames: [PlanarImage] = []
        var milliseconds = delay
        func add(_ image: PlanarImage) throws(CodecError) {
            let size = frames.first?.size ?? image.size
            let all = size.area.multipliedReportingOverflow(by: frames.count + 1)
            guard frames.count < Sticker.maxFrames, !all.overflow, all.partialValue <= Sticker.maxPixels else {
                return
            }
            let whole = FractionalRect(PixelRect(image.size))
            frames.append(try image.rendered(whole, to: size, model: .rgb, profile: .srgb))
        }
        for file in files {
            let header = try ImageHeader.read(file)
            if files.count == 1, let animation = header.animation {
                let stream = try AnimationDecoder.frames(file, header: header, limits: limits)
                while let frame = try stream.next() { try add(frame.image) }
                milliseconds = milliseconds ?? animation.duration / max(1, animation.frames)
            } else {
                try limits.check(header, scale: .full)
                try add(try ImageDecoder.decode(file, header: header, limits: limits))
            }
        }
        guard !frames.isEmpty else { throw .failed("a sticker without images") }
        return (frames, max(10, milliseconds ?? 50))
    }
}
