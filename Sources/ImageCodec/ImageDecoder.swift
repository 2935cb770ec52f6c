package import Framing

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

    /// Decodes a part of an upright picture, and as little of the rest as the format allows.
    ///
    /// Of a JPEG only the rows of blocks that hold the part are transformed, and nothing is read behind them.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - header: What ``ImageHeader/read(_:)`` made of the same bytes.
    ///   - scale: As for ``decode(_:header:scale:limits:)``.
    ///   - rect: The part, in pixels of the picture at `scale`; some of it must be inside.
    ///   - limits: Checked before anything is decoded, for the whole picture.
    /// - Returns: A part that covers what of `rect` is inside the picture. Its samples are those of the whole picture.
    /// - Throws: ``CodecError``.
    package static func decode(
        _ bytes: [UInt8],
        header: ImageHeader,
        scale: DecodeScale,
        covering rect: PixelRect,
        limits: DecodeLimits = DecodeLimits()
    ) throws(CodecError) -> PartialImage {
        guard header.format == .jpeg else {
            let image = try decode(bytes, header: header, scale: scale, limits: limits)
            return PartialImage(whole: image)
        }
        try limits.check(header, scale: scale)
        let whole = header.size(atScale: scale)
        let orientation = header.orientation
        // Rows of the stored picture are columns of one that is turned by a quarter.
        let length = orientation.swapsSides ? whole.width : whole.height
        let isReversed = orientation.swapsSides ? orientation.reversesColumns : orientation.reversesRows
        let upright = orientation.swapsSides ? rect.x..<rect.maxX : rect.y..<rect.maxY
        let rows = isReversed ? length - upright.upperBound..<length - upright.lowerBound : upright
        let part = try JPEGDecoder.decode(bytes, header: header, scale: scale, rows: rows, limits: limits)
        let count = orientation.swapsSides ? part.image.size.width : part.image.size.height
        let first = isReversed ? length - part.firstRow - count : part.firstRow
        return PartialImage(
            image: part.image,
            x: orientation.swapsSides ? first : 0,
            y: orientation.swapsSides ? 0 : first,
            wholeSize: whole
        )
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
