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
            mayBeAnimated: { MediaBrands(Array($0.prefix(InputFormat.signatureLength)))?.isSequence ?? false },
            frames: AVIFFrames.init
        ),
        writing: Writing(
            isExpensive: true,
            mustBeNamed: true,
            // Sides of AV1 are 16-bit numbers plus one. libavif in browsers rejects more than 32,768
            // (AVIF_DEFAULT_IMAGE_DIMENSION_LIMIT).
            capacity: FormatCapacity(maxSide: 65_536, shown: 32_768),
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

/// Decodes AVIF files with libavif and dav1d.
///
/// Only the first image of a sequence is decoded.
///
/// Each coded image is passed to libavif in a separate file. The reason is that libavif 0.11 finds items by linear
/// search, supports only one target per reference, and supports no derived images except grids.
private enum AVIFDecoder {
    static func readHeader(_ bytes: [UInt8]) throws(CodecError) -> ImageHeader {
        if let sequence = try AVIFSequence(bytes) {
            let handle = try AVIFHandle(sequence.file(bytes), limits: DecodeLimits())
            var header = try handle.image.header()
            header.animation = handle.animation(of: header, sequence)
            return header
        }
        let items = try HEIFItems(bytes, .avif)
        let image = try items.image()
        let info = try handle(image.firstItem, image.firstSize, of: items, DecodeLimits()).image.info
        return try ImageHeader(items, image, tile: info) { coded, _ in coded.cost }
    }

    static func decode(
        _ bytes: [UInt8],
        _: ImageHeader,
        _: DecodeScale,
        _ limits: DecodeLimits
    ) throws(CodecError) -> PlanarImage {
        if let sequence = try AVIFSequence(bytes) {
            return try AVIFHandle(sequence.file(bytes), limits: limits).decode()
        }
        let items = try HEIFItems(bytes, .avif)
        let decoder = HEIFImageDecoder(items: items) { (item, size) throws(CodecError) in
            let handle = try handle(item, size, of: items, limits)
            let info = handle.image.info
            guard handle.image.codedSize == size else {
                throw .corrupt(.avif, "its size differs from the declared size")
            }
            return CodedSamples(info, try handle.samples()) { withExtendedLifetime(handle) {} }
        }
        return try decoder.decode(try items.image())
    }

    /// An open decoder of a coded image.
    private static func handle(
        _ item: Int,
        _ size: PixelSize,
        of items: HEIFItems,
        _ limits: DecodeLimits
    ) throws(CodecError) -> AVIFHandle {
        try AVIFHandle(FileBytes(try AVIFItemFile(item, size: size, of: items).bytes), limits: limits)
    }
}

extension AVIFSequence {
    /// The file that libavif reads.
    fileprivate func file(_ bytes: [UInt8]) -> FileBytes { FileBytes(bytes, replacements) }
}

/// An open libavif decoder, and the bytes that it reads.
private final class AVIFHandle {
    private let decoder: OpaquePointer
    private let file: FileBytes
    let image: CodedImage

    init(_ file: FileBytes, limits: DecodeLimits) throws(CodecError) {
        guard let start = file.buffer.baseAddress, !file.buffer.isEmpty else { throw .truncated(.avif) }
        var info = hr_heif_info()
        let cLimits = hr_heif_limits(limits)
        decoder = try open(.avif, close: hr_avif_close) {
            hr_avif_open(start, file.buffer.count, cLimits, &$0, &info, $1)
        }
        self.file = file
        image = CodedImage(format: .avif, info: info)
    }

    deinit { hr_avif_close(decoder) }

    /// Returns the properties of the sequence; nil for a single image.
    ///
    /// libavif 0.11 does not read the number of repetitions, which is nearly always infinite.
    func animation(of header: ImageHeader, _ sequence: AVIFSequence) -> AnimationInfo? {
        var tally = FrameTally()
        let area = header.storedSize.area
        for time in sequence.milliseconds(max(0, Int(hr_avif_frames(decoder)))) {
            tally.add(milliseconds: time, area: area, canvas: area)
        }
        return tally.info(plays: 0, bytes: header.decodedBytes(atScale: .full) + file.buffer.count)
    }

    /// Returns the samples of the next image; they are valid as long as the decoder exists.
    func samples() throws(CodecError) -> hr_heif_image {
        var samples = hr_heif_image()
        try check(.avif) { hr_avif_decode(decoder, &samples, $0) }
        return samples
    }

    /// Decodes the next image, starting with the first.
    func decode() throws(CodecError) -> PlanarImage { try image.image(samples()) }
}

/// Decodes the images of an AVIF sequence.
private final class AVIFFrames: FrameStream {
    private let handle: AVIFHandle
    private let times: [Int]
    private var index = 0

    init(_ bytes: [UInt8], _ header: ImageHeader, _ limits: DecodeLimits) throws(CodecError) {
        let sequence = try AVIFSequence(bytes)
        handle = try AVIFHandle(sequence?.file(bytes) ?? FileBytes(bytes), limits: limits)
        times = sequence?.milliseconds(header.animation?.frames ?? 0) ?? []
    }

    func next() throws(CodecError) -> AnimatedFrame? {
        guard index < times.count else { return nil }
        do {
            let image = try handle.decode()
            defer { index += 1 }
            return AnimatedFrame(image, milliseconds: times[index])
        } catch {
            guard index > 0, error != .outOfMemory else { throw error }
            index = times.count
            return nil
        }
    }
}
#endif
