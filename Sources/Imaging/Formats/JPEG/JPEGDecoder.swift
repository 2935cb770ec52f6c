import CImageCodec
import Geometry

/// Decodes JPEG files into planes, without colour conversion if possible.
enum JPEGDecoder {
    static func readHeader(_ bytes: [UInt8]) throws(CodecError) -> ImageHeader {
        try bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
            try JPEGHandle(buffer, limits: DecodeLimits()).header
        }
    }

    static func decode(
        _ bytes: [UInt8],
        header: ImageHeader,
        scale: DecodeScale,
        limits: DecodeLimits
    ) throws(CodecError) -> PlanarImage {
        try decode(bytes, header: header, scale: scale, rows: nil, limits: limits).image
    }

    /// Decodes at least the requested rows of the stored picture, and turns them upright.
    ///
    /// - Returns: The picture, and its first row in the stored one.
    static func decode(
        _ bytes: [UInt8],
        header: ImageHeader,
        scale: DecodeScale,
        rows: Range<Int>?,
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
