/// Turns files into pixels.
package enum ImageDecoder {
    /// Decodes an upright picture.
    ///
    /// A JPEG whose data end or break in the lower half gives what there is, and grey below, as browsers show it.
    /// A PNG or WebP must be complete; an animation gives its first frame.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - header: What ``ImageHeader/read(_:)`` made of the same bytes.
    ///   - scale: The part of its size at which a JPEG is decoded. Others are decoded whole.
    ///   - limits: Checked before anything is decoded.
    /// - Returns: The picture, of the size ``ImageHeader/size(atScale:)`` tells.
    /// - Throws: ``CodecError``.
    package static func decode(
        _ bytes: [UInt8],
        header: ImageHeader,
        scale: DecodeScale = .full,
        limits: DecodeLimits = DecodeLimits()
    ) throws(CodecError) -> PlanarImage {
        try limits.check(header, scale: scale)
        return switch header.format {
        case .jpeg: try JPEGDecoder.decode(bytes, header: header, scale: scale, limits: limits)
        case .png: try PNGDecoder.decode(bytes, header: header, limits: limits)
        case .webp: try WebPDecoder.decode(bytes, header: header)
        }
    }

    /// Decodes the luma of an upright picture, transparent pixels over white; the chroma of a JPEG is never computed.
    ///
    /// Parameters and errors are those of ``decode(_:header:scale:limits:)``.
    package static func decodeLuma(
        _ bytes: [UInt8],
        header: ImageHeader,
        scale: DecodeScale = .full,
        limits: DecodeLimits = DecodeLimits()
    ) throws(CodecError) -> Plane {
        try limits.check(header, scale: scale)
        switch header.format {
        case .jpeg:
            return try JPEGDecoder.decodeLuma(bytes, header: header, scale: scale, limits: limits)
        case .png:
            return try PNGDecoder.decode(bytes, header: header, limits: limits).luma()
        case .webp:
            return try WebPDecoder.decode(bytes, header: header).luma()
        }
    }
}
