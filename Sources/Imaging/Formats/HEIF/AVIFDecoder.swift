#if AVIF
import CImageCodec
import Geometry

/// Decodes AVIF files with libavif and dav1d; of a sequence, the first picture.
enum AVIFDecoder {
    static func readHeader(_ bytes: [UInt8]) throws(CodecError) -> ImageHeader {
        var header = try bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
            try AVIFHandle(buffer, limits: DecodeLimits()).picture.header()
        }
        header.tileCount = HEIFBoxes(bytes).maxTiles
        return header
    }

    static func decode(_ bytes: [UInt8], limits: DecodeLimits) throws(CodecError) -> PlanarImage {
        try bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
            try AVIFHandle(buffer, limits: limits).decode()
        }
    }
}

/// An open libavif decoder; the bytes it reads must outlive it.
private struct AVIFHandle: ~Copyable {
    private let decoder: OpaquePointer
    let picture: CodedPicture

    private init(adopting decoder: OpaquePointer, picture: CodedPicture) {
        self.decoder = decoder
        self.picture = picture
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: DecodeLimits) throws(CodecError) {
        guard let start = bytes.baseAddress else { throw .truncated(.avif) }
        var decoder: OpaquePointer?
        var info = hr_heif_info()
        let cLimits = hr_heif_limits(limits)
        do {
            try check { hr_avif_open(start, bytes.count, cLimits, &decoder, &info, $0) }
        } catch {
            hr_avif_close(decoder)
            throw error.codecError(.avif)
        }
        guard let decoder else { throw .outOfMemory }
        self.init(adopting: decoder, picture: CodedPicture(format: .avif, info: info))
    }

    deinit { hr_avif_close(decoder) }

    func decode() throws(CodecError) -> PlanarImage {
        var samples = hr_heif_picture()
        do {
            try check { hr_avif_decode(decoder, &samples, $0) }
        } catch {
            throw error.codecError(.avif)
        }
        return try picture.image(samples)
    }
}
#endif
