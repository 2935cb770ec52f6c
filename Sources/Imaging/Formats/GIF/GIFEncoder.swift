import CImageCodec
import Geometry

/// Encodes GIF files: at most 255 colours a frame, with error diffusion, and one that is transparent.
final class GIFEncoder: AnimationWriter {
    private let encoder: OpaquePointer
    private let size: PixelSize

    init(_ size: PixelSize, _ options: AnimationOptions) throws(CodecError) {
        let (width, height) = (Int32(clamping: size.width), Int32(clamping: size.height))
        let (plays, quality) = (Int32(clamping: options.plays), Int32(options.quality))
        encoder = try open(.gif, size: size, close: hr_gif_encoder_close) {
            hr_gif_encoder_open(width, height, plays, quality, &$0, $1)
        }
        self.size = size
    }

    deinit { hr_gif_encoder_close(encoder) }

    /// Encodes a picture.
    static func encode(_ image: PlanarImage, _ options: EncodingOptions) throws(CodecError) -> [UInt8] {
        let image = try image.converted(to: .rgb)
        let still = AnimationOptions(plays: 1, quality: options.knownQuality, hasAlpha: true)
        let encoder = try GIFEncoder(image.size, still)
        try encoder.add(image, milliseconds: 0)
        let file = try encoder.finish()
        return options.copyright?.added(toGIF: file) ?? file
    }

    func add(_ image: PlanarImage, milliseconds: Int) throws(CodecError) {
        guard image.size == size, image.colorModel == .rgb else { throw .failed("a frame of another kind") }
        try check(.gif, size: size) {
            hr_gif_encoder_add(encoder, image.planeViews, image.alpha != nil, Int32(clamping: milliseconds), $0)
        }
    }

    func finish() throws(CodecError) -> [UInt8] {
        try ImageEncoder.collect(.gif, size) { hr_gif_encoder_finish(encoder, $0, $1) }
    }
}
