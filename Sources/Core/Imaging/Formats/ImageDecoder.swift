package import Geometry

/// Decodes files of all ``InputFormat``s into upright planes.
package enum ImageDecoder {
    /// Decodes an upright image.
    ///
    /// A JPEG, PNG, WebP, GIF, TIFF, BMP or ICO of which at most half is lost is decoded as far as possible, as in
    /// browsers, unless the limits refuse damage; the rest is grey, white or transparent, and the image is marked as
    /// damaged. AVIF, HEIC and JPEG XL must be complete. Of an animation the first frame is decoded, and of a GIF the
    /// first that shows something.
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

    /// Decodes a part of an upright image, and as little of the rest as the format allows.
    ///
    /// Of a JPEG only the rows of blocks that contain the part are transformed, and nothing after them is read.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - header: The result of ``ImageHeader/read(_:)`` for the same bytes.
    ///   - scale: Like that of ``decode(_:header:scale:limits:)``.
    ///   - rect: The part, in pixels of the image at `scale`; it must intersect the image.
    ///   - limits: Limits for the whole image, checked before decoding.
    /// - Returns: A part that covers the intersection of `rect` and the image. Its samples equal those of the whole
    ///   image.
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
        // Rows of the stored image are columns of an image rotated by a quarter turn.
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

    /// Decodes the luma of an upright image, transparent pixels over white; the chroma of a JPEG is not computed.
    ///
    /// Parameters and errors equal those of ``decode(_:header:scale:limits:)``.
    package static func decodeLuma(
        _ bytes: [UInt8],
        header: ImageHeader,
        scale: DecodeScale = .full,
        limits: DecodeLimits = DecodeLimits()
    ) throws(CodecError) -> Plane {
        try luma(bytes, header: header, scale: scale, limits: limits).plane
    }

    /// Decodes the luma like ``decodeLuma(_:header:scale:limits:)``, and reports whether a part of it is lost.
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

/// Decodes animations frame by frame, each composed to the whole canvas.
package enum AnimationDecoder {
    /// The frames of an animation from the first on.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - header: The result of ``ImageHeader/read(_:)`` for the same bytes, which has an animation.
    ///   - limits: Limits of one frame, checked before decoding.
    /// - Returns: At most as many frames as the header states, each of the upright canvas's size.
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
