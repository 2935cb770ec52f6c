import CImageCodec
import Geometry

extension FormatCodec {
    static let gif = FormatCodec(
        name: "GIF",
        fileExtensions: ["gif"],
        matches: { $0.starts(with: "GIF87a".utf8) || $0.starts(with: "GIF89a".utf8) },
        readHeader: GIFDecoder.readHeader,
        decode: { (bytes, _, _, limits) throws(CodecError) in try GIFDecoder.decode(bytes, limits) },
        animation: AnimationReading(mayBeAnimated: { _ in true }, frames: GIFFrames.init),
        findMetadata: MetadataBlocks.init(gif:),
        writing: Writing(
            keepsProfile: false,
            // Sides are 16-bit numbers.
            capacity: FormatCapacity(maxSide: 65_535),
            model: { _, _ in .rgb },
            encode: GIFEncoder.encode,
            animation: AnimationWriting(
                suitsEveryAnimation: true,
                begin: GIFEncoder.init,
                addNotice: { notice, file, _ in notice.added(toGIF: file) }
            )
        ),
        sample: GIFDecoder.sample
    )
}

/// Decodes GIF files: the first visible frame, on a transparent screen.
private enum GIFDecoder {
    static func readHeader(_ bytes: [UInt8]) throws(CodecError) -> ImageHeader {
        let info = try info(bytes)
        let bytesNeeded = FrameCanvas.bytes(info.size) + bytes.count + libraryBytes
        return ImageHeader(
            format: .gif,
            storedSize: info.size,
            colorModel: .rgb,
            hasAlpha: info.has_alpha,
            costs: [Plane.bytes(info.size, count: info.has_alpha ? 4 : 3, and: libraryBytes)],
            isLossless: true,
            animation: GIFBlocks(bytes).animation(screen: info.size, bytes: bytesNeeded)
        )
    }

    static func decode(_ bytes: [UInt8], _ limits: DecodeLimits) throws(CodecError) -> PlanarImage {
        var info = try info(bytes)
        // Lost rows become white or transparent.
        let planes = try (0..<(info.has_alpha ? 4 : 3)).map { (_) throws(CodecError) in
            try Plane(info.size, filledWith: info.has_alpha ? 0 : 255)
        }
        var isDamaged = false
        try planes.withTargets { (planes) throws(CodecError) in
            try check(.gif, size: info.size) {
                hr_gif_decode(bytes, bytes.count, Int64(limits.maxPixels), &info, planes, &isDamaged, $0)
            }
        }
        guard !isDamaged || limits.servesDamaged else { throw .truncated(.gif) }
        return PlanarImage(decoded: planes, .rgb, hasAlpha: info.has_alpha, isDamaged: isDamaged)
    }

    /// Memory of giflib in bytes: its code tables, two colour tables and a row of at most 65,535 pixels.
    private static let libraryBytes = 128 << 10

    private static func info(_ bytes: [UInt8]) throws(CodecError) -> hr_gif_info {
        var info = hr_gif_info()
        try check(.gif) { hr_gif_read(bytes, bytes.count, &info, $0) }
        return info
    }

    // One white pixel.
    static let sample: [UInt8] =
        Array("GIF89a".utf8) + [
            0x01, 0x00, 0x01, 0x00, 0x80, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x2C, 0x00, 0x00, 0x00, 0x00,
            0x01, 0x00, 0x01, 0x00, 0x00, 0x02, 0x02, 0x44, 0x01, 0x00, 0x3B,
        ]
}

extension hr_gif_info {
    fileprivate var size: PixelSize { PixelSize(width: Int(width), height: Int(height)) }
}

/// Decodes the frames of a GIF on a transparent screen.
private final class GIFFrames: FrameStream {
    private let reader: GIFReader
    private let canvas: FrameCanvas
    private var isFirst = true
    private var isOver = false

    init(_ bytes: [UInt8], _ header: ImageHeader, _ limits: DecodeLimits) throws(CodecError) {
        reader = try GIFReader(bytes)
        canvas = try FrameCanvas(header.storedSize)
    }

    func next() throws(CodecError) -> AnimatedFrame? {
        guard !isOver else { return nil }
        do {
            guard let frame = try reader.next() else {
                isOver = true
                return nil
            }
            try canvas.begin(frame.rect, Self.disposal(frame.disposal))
            try canvas.withTargets { (screen) throws(CodecError) in try reader.draw(on: screen) }
            isFirst = false
            return AnimatedFrame(try canvas.snapshot(), milliseconds: frame.milliseconds)
        } catch {
            isOver = true
            guard !isFirst, error != .outOfMemory else { throw error }
            return nil
        }
    }

    /// The disposal methods of GIF89a, 23; the background is transparent, as in browsers.
    private static func disposal(_ method: Int32) -> FrameCanvas.Disposal {
        switch method {
        case 2: .clear
        case 3: .restore
        default: .keep
        }
    }
}

/// Reads the frames of a GIF file as the file stores them.
final class GIFReader {
    private let file: FileBytes
    private let decoder: OpaquePointer

    init(_ bytes: [UInt8]) throws(CodecError) {
        let file = FileBytes(bytes)
        guard let start = file.buffer.baseAddress else { throw .truncated(.gif) }
        decoder = try open(.gif, close: hr_gif_close) { hr_gif_open(start, file.buffer.count, &$0, $1) }
        self.file = file
    }

    deinit { hr_gif_close(decoder) }

    /// Moves to the next frame and returns it; nil at the end.
    ///
    /// The pixels of a frame can be drawn or copied once.
    func next() throws(CodecError) -> hr_gif_frame? {
        var (frame, isFound) = (hr_gif_frame(), false)
        try check(.gif) { hr_gif_next(decoder, &frame, &isFound, $0) }
        return isFound ? frame : nil
    }

    func draw(on screen: [hr_target]) throws(CodecError) { try check(.gif) { hr_gif_draw(decoder, screen, $0) } }

    /// Copies the frame's indices in a part of the screen.
    ///
    /// - Parameters:
    ///   - part: The part of the screen, of the size of `indices`.
    ///   - indices: A plane that is not shared yet.
    /// - Throws: ``CodecError`` if the frame is damaged.
    func copy(_ part: PixelRect, to indices: Plane) throws(CodecError) {
        try indices.withTarget { (indices) throws(CodecError) in
            try check(.gif) { hr_gif_copy(decoder, Int32(part.x), Int32(part.y), [indices], $0) }
        }
    }
}

extension hr_gif_frame {
    /// The delay in milliseconds as the file states it.
    fileprivate var milliseconds: Int { Int(delay) * 10 }
}
