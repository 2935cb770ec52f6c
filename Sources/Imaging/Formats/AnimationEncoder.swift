package import Geometry

package enum AnimationEncoder {
    /// Begins a file in a format with ``ImageFormat/keepsAnimation``, which plays `plays` times, 0 is for ever.
    ///
    /// An AVIF needs the notice of copyright and whether frames may be transparent before the first frame;
    /// ``CopyrightNotice/added(toAnimation:as:_:)`` adds the notice to files of other formats.
    ///
    /// - Throws: ``CodecError/tooLarge(_:limit:)`` if the format cannot hold frames of the size.
    package static func begin(
        _ format: ImageFormat,
        size: PixelSize,
        plays: Int,
        quality: Int? = nil,
        copyright: CopyrightNotice? = nil,
        hasAlpha: Bool = true
    ) throws(CodecError) -> any AnimationWriter {
        guard let writing = format.writing.animation else { throw .failed("\(format.name) has no animations") }
        let quality = EncodingOptions(quality: quality).knownQuality
        let options = AnimationOptions(plays: plays, quality: quality, copyright: copyright, hasAlpha: hasAlpha)
        return try writing.begin(size, options)
    }

    /// The memory that an encoder takes for itself and the file, in bytes; `pixels` are those of all frames together.
    package static func bytesNeeded(_ format: ImageFormat, size: PixelSize, pixels: Int, hasAlpha: Bool) -> Int {
        let estimate = format.writing.animation?.bytesNeeded ?? FormatCodec.AnimationWriting.usualBytesNeeded
        return estimate(size, pixels, hasAlpha)
    }
}
