import CImageCodec
package import Geometry

/// Crops a GIF without new colour tables: each frame keeps its palette, indices, delay and disposal.
package enum GIFCropping {
    /// Crops a file.
    ///
    /// - Parameters:
    ///   - bytes: The GIF file.
    ///   - rect: A rectangle inside the screen.
    ///   - plays: The number of times that the result plays; 0 plays it forever.
    ///   - onFrame: Called before each frame; an error that it throws ends the work.
    /// - Returns: The file.
    /// - Throws: ``CodecError`` if the first frame cannot be read; the error of `onFrame`.
    package static func crop(
        _ bytes: [UInt8],
        to rect: PixelRect,
        plays: Int,
        onFrame: () throws -> Void = {}
    ) throws -> [UInt8] {
        let reader = try GIFReader(bytes)
        let writer = try GIFWriter(rect.size, plays: plays)
        while let frame = try frame(reader, isFirst: !writer.hasFrames) {
            try onFrame()
            let part = frame.rect.intersection(rect)
            do {
                if part.area > 0 {
                    let indices = try Plane(part.size, filledWith: 0)
                    try reader.copy(part, to: indices)
                    try writer.add(indices, x: part.x - rect.x, y: part.y - rect.y, frame)
                } else {
                    // A frame outside the crop keeps its delay.
                    let nothing = try Plane(PixelSize(width: 1, height: 1), filledWith: 0)
                    let corner = PixelRect(x: frame.rect.x, y: frame.rect.y, width: 1, height: 1)
                    try reader.copy(corner, to: nothing)
                    try writer.add(try Plane(nothing.size, filledWith: 0), x: 0, y: 0, frame.emptied)
                }
            } catch {
                guard writer.hasFrames, error != .outOfMemory else { throw error }
                break
            }
        }
        return try writer.finish()
    }

    /// Returns the next frame; nil at the end, or if the frame is damaged and is not the first frame.
    private static func frame(_ reader: GIFReader, isFirst: Bool) throws(CodecError) -> hr_gif_frame? {
        do {
            return try reader.next()
        } catch {
            guard !isFirst, error != .outOfMemory else { throw error }
            return nil
        }
    }
}

extension hr_gif_frame {
    /// The same frame without visible pixels; it has two colours, and index 0 is transparent.
    fileprivate var emptied: hr_gif_frame {
        var frame = self
        frame.colors = hr_gif_palette()
        frame.colors.count = 2
        frame.colors.transparent = 0
        frame.disposal = 1
        return frame
    }
}

private final class GIFWriter {
    private let writer: OpaquePointer
    private let size: PixelSize
    private(set) var hasFrames = false

    init(_ size: PixelSize, plays: Int) throws(CodecError) {
        let (width, height) = (Int32(clamping: size.width), Int32(clamping: size.height))
        writer = try open(.gif, size: size, close: hr_gif_writer_close) {
            hr_gif_writer_open(width, height, Int32(clamping: plays), &$0, $1)
        }
        self.size = size
    }

    deinit { hr_gif_writer_close(writer) }

    func add(_ indices: Plane, x: Int, y: Int, _ frame: hr_gif_frame) throws(CodecError) {
        var colors = frame.colors
        // Indices beyond the colours are replaced in place.
        try indices.withTarget { (indices) throws(CodecError) in
            try check(.gif, size: size) {
                hr_gif_writer_put(writer, [indices], Int32(x), Int32(y), &colors, frame.disposal, frame.delay, $0)
            }
        }
        hasFrames = true
    }

    func finish() throws(CodecError) -> [UInt8] {
        try ImageEncoder.collect(.gif, size) { hr_gif_writer_finish(writer, $0, $1) }
    }
}

/// Encodes GIF files: at most 255 colours and one transparent index per frame, with error diffusion.
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
        try image.allPlanes.withViews { (views) throws(CodecError) in
            try check(.gif, size: size) {
                hr_gif_encoder_add(encoder, views, image.alpha != nil, Int32(clamping: milliseconds), $0)
            }
        }
    }

    func finish() throws(CodecError) -> [UInt8] {
        try ImageEncoder.collect(.gif, size) { hr_gif_encoder_finish(encoder, $0, $1) }
    }
}
