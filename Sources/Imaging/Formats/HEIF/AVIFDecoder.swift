#if AVIF
import CImageCodec
import Geometry

extension FormatCodec {
    static let avif = FormatCodec(
        name: "AVIF",
        fileExtensions: ["avif", "avifs"],
        matches: { MediaBrands($0)?.family == .avif },
        readHeader: AVIFDecoder.readHeader,
        decode: AVIFDecoder.decode,
        animation: AnimationReading(
            mayBeAnimated: { MediaBrands(Array($0.prefix(SourceFormat.signatureLength)))?.isSequence ?? false },
            frames: AVIFFrames.init
        ),
        writing: Writing(
            isExpensive: true,
            mustBeNamed: true,
            model: { model, options in if case .ycbcr = model { .ycbcr(options.subsampling) } else { .rgb } },
            encode: AVIFEncoder.encode,
            bytesNeeded: { size, options in AVIFEncoder.bytesNeeded(size, options.subsampling) },
            animation: AnimationWriting(
                keepsPlays: false,
                begin: AVIFAnimationEncoder.init,
                bytesNeeded: AVIFAnimationEncoder.bytesNeeded
            )
        )
    )
}

/// Decodes AVIF files with libavif and dav1d; of a sequence, the first picture.
private enum AVIFDecoder {
    static func readHeader(_ bytes: [UInt8]) throws(CodecError) -> ImageHeader {
        var alphaTiles = 0
        var header = try bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
            let handle = try AVIFHandle(buffer, limits: DecodeLimits())
            var picture = handle.picture
            alphaTiles = picture.info.has_alpha ? 0 : HEIFItems(bytes)?.alphaOfTiles.count ?? 0
            if alphaTiles > 0 { picture.info.has_alpha = true }
            var header = try picture.header()
            header.animation = handle.animation(of: header, bytes: buffer.count)
            return header
        }
        let boxes = HEIFBoxes(bytes)
        guard !boxes.repeatsData else { throw .corrupt(.avif, "its tiles have more bytes than the file") }
        header.tileCount = boxes.maxTiles + alphaTiles
        return header
    }

    static func decode(
        _ bytes: [UInt8],
        _ header: ImageHeader,
        _: DecodeScale,
        _ limits: DecodeLimits
    ) throws(CodecError) -> PlanarImage {
        try bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
            let handle = try AVIFHandle(buffer, limits: limits)
            let misses = header.hasAlpha && !handle.picture.info.has_alpha
            return try handle.decode(alpha: misses ? alpha(bytes, of: handle.picture.codedSize, limits) : nil)
        }
    }

    /// Alpha of a grid, of the alpha of its tiles.
    private static func alpha(
        _ bytes: [UInt8],
        of size: PixelSize,
        _ limits: DecodeLimits
    ) throws(CodecError) -> Plane {
        let result = try Plane(size, filledWith: 255)
        guard let items = HEIFItems(bytes) else { return result }
        var (x, y) = (0, 0)
        for item in items.alphaOfTiles {
            guard y < size.height else { throw .corrupt(.avif, "its alpha has more tiles than fit") }
            let tile = try items.file(showing: item).withUnsafeBufferPointer { (buffer) throws(CodecError) in
                try AVIFHandle(buffer, limits: limits).decode().planes[0]
            }
            let width = min(tile.size.width, size.width - x), height = min(tile.size.height, size.height - y)
            let part = result.view(of: PixelRect(x: x, y: y, width: width, height: height))
            hr_copy([tile.view], 0, 0, [part])
            x += width
            if x == size.width { (x, y) = (0, y + height) }
        }
        return result
    }
}

/// An open libavif decoder; the bytes it reads must outlive it.
private struct AVIFHandle: ~Copyable {
    private let decoder: OpaquePointer
    let picture: CodedPicture

    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: DecodeLimits) throws(CodecError) {
        guard let start = bytes.baseAddress else { throw .truncated(.avif) }
        var info = hr_heif_info()
        let cLimits = hr_heif_limits(limits)
        decoder = try open(.avif, close: hr_avif_close) { hr_avif_open(start, bytes.count, cLimits, &$0, &info, $1) }
        picture = CodedPicture(format: .avif, info: info)
    }

    deinit { hr_avif_close(decoder) }

    /// The sequence; nil if there is one picture.
    ///
    /// libavif 0.11 does not read how often it plays, which is nearly always for ever.
    func animation(of header: ImageHeader, bytes count: Int) -> AnimationInfo? {
        var tally = FrameTally()
        let area = header.storedSize.area
        for index in 0..<max(0, Int(hr_avif_frames(decoder))) {
            tally.add(milliseconds: milliseconds(of: index), area: area, canvas: area)
        }
        return tally.info(plays: 0, bytes: header.decodedBytes(atScale: .full) + count)
    }

    /// The time of a picture as the file states it.
    func milliseconds(of index: Int) -> Int {
        let seconds = hr_avif_seconds(decoder, Int32(clamping: index))
        return seconds > 0 && seconds < 1e9 ? Int((seconds * 1000).rounded()) : 0
    }

    /// The first picture, or the one after the last, with alpha of its own or that which is given.
    func decode(alpha: Plane? = nil) throws(CodecError) -> PlanarImage {
        var samples = hr_heif_picture()
        try check(.avif) { hr_avif_decode(decoder, &samples, $0) }
        guard let alpha else { return try picture.image(samples) }
        var seeThrough = picture
        seeThrough.info.has_alpha = true
        samples.alpha = hr_samples(
            data: alpha.base,
            stride: alpha.bytesPerRow,
            width: Int32(alpha.size.width),
            height: Int32(alpha.size.height),
            depth: 8
        )
        return try seeThrough.image(samples)
    }
}

/// Decodes the pictures of an AVIF sequence.
private final class AVIFFrames: FrameStream {
    // The handle reads from the copy, so it goes first.
    private let handle: AVIFHandle
    private let file: FileBytes
    private let count: Int
    private var index = 0

    init(_ bytes: [UInt8], _ header: ImageHeader, _ limits: DecodeLimits) throws(CodecError) {
        file = FileBytes(bytes)
        handle = try AVIFHandle(file.buffer, limits: limits)
        count = header.animation?.frames ?? 0
    }

    func next() throws(CodecError) -> AnimatedFrame? {
        guard index < count else { return nil }
        do {
            let image = try handle.decode()
            defer { index += 1 }
            return AnimatedFrame(image, milliseconds: handle.milliseconds(of: index))
        } catch {
            guard index > 0, error != .outOfMemory else { throw error }
            index = count
            return nil
        }
    }
}
#endif
