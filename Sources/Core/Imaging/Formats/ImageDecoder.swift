package import Geometry

/// Decodes files of all ``InputFormat``s into upright planes.
package enum ImageDecoder {
    /// Decodes an upright image.
    ///
    /// If at most half of a JPEG, PNG, WebP, GIF, TIFF, BMP or ICO is lost, the rest is decoded, as in browsers, unless
    /// the limits forbid damage. Lost pixels are grey, white or transparent, and the image is marked as damaged. AVIF,
    /// HEIC and JPEG XL must be complete. For an animation, the first frame is decoded; for a GIF, the first visible
    /// frame.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - header: The result of ``ImageHeader/read(_:)`` for the same bytes.
    ///   - scale: The scale of a JPEG. Other formats are decoded at full size.
    ///   - limits: Limits, checked before decoding.
    /// - Returns: The image, of size ``ImageHeader/size(atScale:)``.
    /// - Throws: ``CodecError``.
    package static func decode(
        _ bytes: [UInt8],
        header: ImageHeader,
        scale: DecodeScale = .full,
        limits: DecodeLimits = DecodeLimits()
    ) throws(CodecError) -> PlanarImage {
        try limits.check(header, scale: scale)
        return try header.format.codec.decode(bytes, header, scale, limits)
    }

    /// Decodes a part of an upright image, and as few other pixels as the format allows.
    ///
    /// For a JPEG, only the rows of blocks that contain the part are transformed, and later data are not read.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - header: The result of ``ImageHeader/read(_:)`` for the same bytes.
    ///   - scale: The scale, as in ``decode(_:header:scale:limits:)``.
    ///   - rect: The part, in pixels of the image at `scale`; it must intersect the image.
    ///   - limits: Limits for the whole image, checked before decoding.
    /// - Returns: A part that covers the intersection of `rect` and the image. Its samples are equal to the samples of
    ///   the whole image.
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
        // Rows of the stored image are columns of an image rotated by 90°.
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

    /// Decodes the luma of an upright image, with transparent pixels over white; the chroma of a JPEG is not computed.
    ///
    /// Parameters and errors are the same as for ``decode(_:header:scale:limits:)``.
    package static func decodeLuma(
        _ bytes: [UInt8],
        header: ImageHeader,
        scale: DecodeScale = .full,
        limits: DecodeLimits = DecodeLimits()
    ) throws(CodecError) -> Plane {
        try luma(bytes, header: header, scale: scale, limits: limits).plane
    }

    /// Decodes the luma like ``decodeLuma(_:header:scale:limits:)``, and reports whether some of the luma is lost.
    package static func luma(
        _ bytes: [UInt8],
        header: ImageHeader,
        scale: DecodeScale,
        limits: DecodeLimits
    ) throws(CodecError) -> (plane: Plane, isDamaged: Bool) {
        try limits.check(header, scale: scale)
        guard header.format == .jpeg else {
            let image = try decode(bytes, header: header, limits: limits)
            return (try image.luma(), image.isDamaged)
        }
        return try JPEGDecoder.decodeLuma(bytes, header: header, scale: scale, limits: limits)
    }
}

/// Decodes animations frame by frame; each frame is composed to the whole canvas.
package enum AnimationDecoder {
    /// The frames of an animation, starting with the first.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - header: The result of ``ImageHeader/read(_:)`` for the same bytes, which has an animation.
    ///   - limits: Limits of one frame, checked before decoding.
    /// - Returns: At most the number of frames in the header, each of the upright canvas's size.
    /// - Throws: ``CodecError``.
    package static func frames(
        _ bytes: [UInt8],
        header: ImageHeader,
        limits: DecodeLimits = DecodeLimits()
    ) throws(CodecError) -> any FrameStream {
        try limits.check(header, scale: .full)
        guard header.animation != nil, let reading = header.format.codec.animation else {
            throw .failed("an image without an animation")
        }
        return try reading.frames(bytes, header, limits)
    }
}
