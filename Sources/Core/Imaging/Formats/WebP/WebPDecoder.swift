import CImageCodec
import Geometry

extension FormatCodec {
    static let webp = FormatCodec(
        name: "WebP",
        fileExtensions: ["webp"],
        matches: { $0.starts(with: "RIFF".utf8) && $0.dropFirst(8).starts(with: "WEBP".utf8) },
        readHeader: WebPDecoder.readHeader,
        decode: { (bytes, header, _, limits) throws(CodecError) in
            try WebPDecoder.decode(bytes, limits).oriented(header.orientation)
        },
        animation: AnimationReading(mayBeAnimated: WebPChunks.announceAnimation, frames: WebPAnimation.frames),
        findMetadata: MetadataBlocks.init(webp:),
        writing: Writing(
            mustBeNamed: true,
            // 14 bits in every chunk with a size (RFC 9649); WEBP_MAX_DIMENSION of libwebp.
            capacity: FormatCapacity(maxSide: 16_383),
            model: { model, _ in if case .ycbcr = model { .ycbcr(.halved) } else { .rgb } },
            encode: WebPEncoder.encode,
            bytesNeeded: WebPEncoder.bytesNeeded,
            animation: AnimationWriting(
                suitsEveryAnimation: true,
                begin: WebPAnimationEncoder.init,
                addNotice: { notice, file, size in WebPEncoder.adding(nil, notice, to: file, size) }
            )
        )
    )
}

/// Decodes WebP files, lossy and lossless.
///
/// Only the first frame of an animation is decoded, on a transparent canvas.
private enum WebPDecoder {
    static func readHeader(_ bytes: [UInt8]) throws(CodecError) -> ImageHeader { try WebPImage(bytes).header }

    /// Decodes an image, including a damaged one if the limits allow it; later chunks may be missing.
    static func decode(_ bytes: [UInt8], _ limits: DecodeLimits) throws(CodecError) -> PlanarImage {
        try WebPImage(bytes).decode(servesDamaged: limits.servesDamaged)
    }
}

extension WebPChunks {
    /// Returns the error of decoding the image; if a complete chunk's content ends early, the file is corrupt.
    fileprivate func codecError(_ failure: CFailure, size: PixelSize? = nil) -> CodecError {
        isComplete && failure.status == HR_TRUNCATED
            ? .corrupt(.webp, failure.message) : failure.codecError(.webp, size: size)
    }
}

/// An image in a file, and its position on the canvas.
private struct WebPImage {
    private let bytes: [UInt8]
    private let chunks: WebPChunks
    private let info: hr_webp_info
    private let canvas: PixelSize
    private let place: PixelRect

    init(_ bytes: [UInt8]) throws(CodecError) {
        chunks = try WebPChunks(bytes)
        var info = hr_webp_info()
        do {
            try bytes[chunks.image].withUnsafeBufferPointer { (buffer) throws(CFailure) in
                guard let start = buffer.baseAddress else { return }
                try attempt { hr_webp_read(start, buffer.count, &info, $0) }
            }
        } catch {
            throw chunks.codecError(error)
        }
        let size = PixelSize(width: Int(info.width), height: Int(info.height))
        canvas = chunks.canvas ?? size
        place = chunks.frame ?? PixelRect(canvas)
        guard place.size == size, PixelRect(canvas).contains(place) else {
            throw .corrupt(.webp, "its size differs from the declared size")
        }
        self.bytes = bytes
        self.info = info
    }

    private var coversCanvas: Bool { place.size == canvas }
    private var hasAlpha: Bool { info.has_alpha || !coversCanvas }

    /// The colour model: lossy images have luma and chroma, but images with alpha are decoded as RGB.
    private var colorModel: ColorModel { info.lossless || hasAlpha ? .rgb : .ycbcr(.halved) }

    var header: ImageHeader {
        let planeBytes = planeSizes.reduce(0) { $0 + Plane.bytes($1, count: 1) }
        let cost = planeBytes * (chunks.orientation == .up ? 1 : 2) + libraryBytes
        var header = ImageHeader(
            format: .webp,
            storedSize: canvas,
            orientation: chunks.orientation,
            colorModel: colorModel,
            hasAlpha: hasAlpha,
            costs: [cost],
            isLossless: info.lossless
        )
        if chunks.frame != nil {
            // The canvas, and a frame of its size with libwebp's memory and interleaved samples.
            let frame = Plane.bytes(canvas, count: 4) + canvas.area * 10
            header.animation = WebPAnimation(bytes)?.info(bytes: FrameCanvas.bytes(canvas) + frame + libraryBytes)
        }
        return header
    }

    /// The sizes of the decoded planes, alpha last.
    private var planeSizes: [PixelSize] {
        (0..<colorModel.planeCount).map { colorModel.planeSize($0, of: canvas) } + (hasAlpha ? [canvas] : [])
    }

    /// Memory of libwebp in bytes.
    ///
    /// A lossy image needs some rows of macroblocks. A lossless image or alpha needs four bytes for each pixel, plus
    /// half as much for transforms. Interleaved samples are added if they are decoded.
    private var libraryBytes: Int {
        let area = place.size.area
        let rows = (place.size.width + 64) * 256
        let pixels = info.lossless || info.has_alpha ? area * 6 : 0
        let packed = colorModel == .rgb ? area * (info.has_alpha ? 4 : 3) : 0
        return rows + pixels + packed
    }

    func decode(servesDamaged: Bool) throws(CodecError) -> PlanarImage {
        guard chunks.isComplete || servesDamaged else { throw .truncated(.webp) }
        let planes = try planeSizes.map { (size) throws(CodecError) in
            coversCanvas ? try Plane(unset: size) : try Plane(size, filledWith: 0)
        }
        let isDamaged = try decode(into: planes, servesDamaged: servesDamaged)
        return PlanarImage(
            decoded: planes,
            colorModel,
            hasAlpha: hasAlpha,
            iccProfile: chunks.profile.flatMap { ICCProfile(bytes[$0]) },
            isDamaged: isDamaged
        )
    }

    /// Decodes into planes, and returns whether some of the image is lost.
    private func decode(into planes: [Plane], servesDamaged: Bool) throws(CodecError) -> Bool {
        let shown = coversCanvas ? planes : planes.map { $0.cropped(to: place) }
        return try shown.withTargets { (targets) throws(CodecError) in
            try decode(into: targets, servesDamaged: servesDamaged)
        }
    }

    private func decode(into targets: [hr_target], servesDamaged: Bool) throws(CodecError) -> Bool {
        let color = colorModel == .rgb ? HR_WEBP_RGB : HR_WEBP_YCC
        var isDamaged = false
        do {
            try bytes[chunks.image].withUnsafeBufferPointer { (buffer) throws(CFailure) in
                guard let start = buffer.baseAddress else { return }
                try attempt { hr_webp_decode(start, buffer.count, color, info.has_alpha, targets, $0) }
            }
        } catch {
            let isLost = error.status == HR_TRUNCATED || error.status == HR_CORRUPT
            isDamaged = isLost && servesDamaged && decodePart(into: targets, color)
            guard isDamaged else { throw chunks.codecError(error, size: canvas) }
        }
        if hasAlpha, !info.has_alpha, let opaque = targets.last { hr_fill([opaque], 255) }
        return isDamaged
    }

    /// Decodes the rows before the damage, and makes the rest white or transparent.
    ///
    /// - Returns: Whether at least half of the rows were decoded.
    private func decodePart(into targets: [hr_target], _ color: hr_webp_color) -> Bool {
        let rows = bytes[chunks.image].withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { Int(hr_webp_decode_part($0, buffer.count, color, info.has_alpha, targets)) } ?? 0
        }
        guard rows * 2 >= place.size.height else { return false }
        for (index, target) in targets.enumerated() {
            let isChroma = color == HR_WEBP_YCC && index > 0
            let first = isChroma ? (rows + 1) / 2 : rows
            let value: UInt8 = isChroma ? 128 : info.has_alpha ? 0 : 255
            guard first < Int(target.height) else { continue }
            var missing = target
            missing.data += first * target.stride
            missing.height -= Int32(first)
            hr_fill(&missing, value)
        }
        return true
    }
}
