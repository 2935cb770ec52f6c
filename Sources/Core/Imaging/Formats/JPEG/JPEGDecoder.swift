import CImageCodec
import Geometry

extension FormatCodec {
    static let jpeg = FormatCodec(
        name: "JPEG",
        fileExtensions: ["jpg", "jpeg", "jpe", "jfif"],
        matches: { $0.starts(with: [0xFF, 0xD8, 0xFF]) },
        readHeader: JPEGDecoder.readHeader,
        decode: { (bytes, header, scale, limits) throws(CodecError) in
            try JPEGDecoder.decode(bytes, header: header, scale: scale, limits: limits).image
        },
        findMetadata: MetadataBlocks.init(jpeg:),
        writing: Writing(
            keepsAlpha: false,
            // JPEG_MAX_DIMENSION of libjpeg; the format itself ends at 65,535.
            capacity: FormatCapacity(maxSide: 65_500),
            model: JPEGEncoder.model,
            encode: JPEGEncoder.encode,
            bytesNeeded: JPEGEncoder.bytesNeeded
        )
    )
}

/// Decodes JPEG files into planes, without colour conversion if possible.
enum JPEGDecoder {
    static func readHeader(_ bytes: [UInt8]) throws(CodecError) -> ImageHeader {
        try bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
            try JPEGHandle(buffer, limits: DecodeLimits()).header
        }
    }

    /// Decodes the stored image, or at least its requested rows, and rotates it upright.
    ///
    /// - Returns: The image, and the position of its first row in the stored image.
    static func decode(
        _ bytes: [UInt8],
        header: ImageHeader,
        scale: DecodeScale,
        rows: Range<Int>? = nil,
        limits: DecodeLimits
    ) throws(CodecError) -> (image: PlanarImage, firstRow: Int) {
        let (components, profile, isDamaged) = try bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
            let handle = try JPEGHandle(buffer, limits: limits)
            let components = try handle.decode(scale: scale, firstOnly: false, rows: rows)
            return (components, handle.iccProfile, handle.isDamaged)
        }
        var image = try components.image(iccProfile: profile).oriented(header.orientation)
        image.isDamaged = isDamaged
        return (image, components.firstRow)
    }

    static func decodeLuma(
        _ bytes: [UInt8],
        header: ImageHeader,
        scale: DecodeScale,
        limits: DecodeLimits
    ) throws(CodecError) -> (plane: Plane, isDamaged: Bool) {
        let (components, isDamaged) = try bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
            let handle = try JPEGHandle(buffer, limits: limits)
            let components = try handle.decode(scale: scale, firstOnly: handle.firstIsLuma)
            return (components, handle.isDamaged)
        }
        let luma = components.color == HR_JPEG_YCC ? try components.plane(0) : try components.image().luma()
        return (try luma.oriented(header.orientation), isDamaged)
    }
}
