import CImageCodec
import Geometry

/// Encodes GIF files: at most 255 colours a frame, with error diffusion, and one that is transparent.
final class GIFEncoder: AnimationWriter {
    private let encoder: OpaquePointer
    private let size: PixelSize

    /// Begins a file that plays `plays` times, 0 for ever.
    init(_ size: PixelSize, plays: Int, quality: Int) throws(CodecError) {
        var opened: OpaquePointer?
        let (width, height) = (Int32(clamping: size.width), Int32(clamping: size.height))
        do {
            try check { hr_gif_encoder_open(width, height, Int32(clamping: plays), Int32(quality), &opened, $0) }
        } catch {
            hr_gif_encoder_close(opened)
            throw error.codecError(.gif, size: size)
        }
        guard let opened else { throw .outOfMemory }
        encoder = opened
        self.size = size
    }

    deinit { hr_gif_encoder_close(encoder) }

    /// Encodes a picture.
    static func encode(_ image: PlanarImage, _ options: EncodingOptions) throws(CodecError) -> [UInt8] {
        let whole = FractionalRect(PixelRect(image.size))
        let image = try Resampler.resample(image, region: whole, to: image.size, model: .rgb)
        let encoder = try GIFEncoder(image.size, plays: 1, quality: options.knownQuality)
        try encoder.add(image, milliseconds: 0)
        let file = try encoder.finish()
        return options.copyright?.added(toGIF: file) ?? file
    }

    func add(_ image: PlanarImage, milliseconds: Int) throws(CodecError) {
        guard image.size == size, image.colorModel == .rgb else { throw .failed("a frame of another kind") }
        let views = (image.planes + (image.alpha.map { [$0] } ?? [])).map(\.view)
        do {
            try check {
                hr_gif_encoder_add(encoder, views, image.alpha != nil, Int32(clamping: milliseconds), $0)
            }
        } catch {
            throw error.codecError(.gif, size: size)
        }
    }

    func finish() throws(CodecError) -> [UInt8] {
        try ImageEncoder.collect(.gif, size) { hr_gif_encoder_finish(encoder, $0, $1) }
    }
}
