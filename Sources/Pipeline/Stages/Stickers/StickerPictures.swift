import Geometry
import Imaging

/// The decoded frames of a sticker.
struct StickerPictures {
    let sticker: Sticker
    /// RGB pictures of one size; at least one.
    let frames: [PlanarImage]
    /// The time of each frame in milliseconds.
    let delay: Int

    /// The time of all frames, in milliseconds; 0 if there is only one.
    var cycle: Int { frames.count > 1 ? frames.count * delay : 0 }

    /// Decodes the frames.
    ///
    /// - Throws: ``PipelineError/codec(_:)``.
    init(_ sticker: Sticker, limits: DecodeLimits) throws(PipelineError) {
        self.sticker = sticker
        do {
            switch sticker.content {
            case .drawn(let drawn):
                (frames, delay) = (try drawn.frames(), sticker.delay ?? 50)
            case .files(let files):
                (frames, delay) = try Self.decoded(files, sticker.delay, limits)
            }
        } catch {
            throw .codec(error)
        }
    }

    /// The frame at a time.
    ///
    /// - Parameters:
    ///   - time: In milliseconds from the beginning.
    ///   - loop: The time after which everything repeats; a whole number of cycles is fitted into it. Nil without.
    /// - Returns: An RGB picture.
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
            guard frames.count < Sticker.mostFrames, !all.overflow, all.partialValue <= Sticker.mostPixels else {
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
        guard !frames.isEmpty else { throw .failed("a sticker without pictures") }
        return (frames, max(10, milliseconds ?? 50))
    }
}
