package import Geometry

/// Writes animations frame by frame, in formats with ``OutputFormat/keepsAnimation``.
package enum AnimationEncoder {
    /// Starts a file.
    ///
    /// - Parameters:
    ///   - format: A format with ``OutputFormat/keepsAnimation``.
    ///   - size: The size of every frame.
    ///   - plays: The number of times that it plays; 0 plays it forever.
    ///   - quality: 1 to 100; nil for ``ImageEncoder/defaultQuality``. PNG has none.
    ///   - copyright: A notice for AVIF; ``CopyrightNotice/added(toAnimation:as:_:)`` adds it to files of other
    ///     formats.
    ///   - hasAlpha: Whether frames may be transparent; AVIF declares this before the first frame.
    /// - Returns: The encoder.
    /// - Throws: ``CodecError/tooLarge(_:limit:)`` if the format cannot hold frames of the size.
    package static func begin(
        _ format: OutputFormat,
        size: PixelSize,
        plays: Int,
        quality: Int? = nil,
        copyright: CopyrightNotice? = nil,
        hasAlpha: Bool = true
    ) throws(CodecError) -> any AnimationWriter {
        guard let writing = format.writing.animation else { throw .failed("\(format.name) has no animations") }
        guard format.holds(size) else { throw .tooLarge(size, limit: .format(InputFormat(format))) }
        let quality = EncodingOptions(quality: quality).knownQuality
        let options = AnimationOptions(plays: plays, quality: quality, copyright: copyright, hasAlpha: hasAlpha)
        return try writing.begin(size, options)
    }

    /// The memory for an encoder and its file, in bytes.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - size: The size of every frame.
    ///   - pixels: The pixels of all frames together.
    ///   - hasAlpha: Whether frames may be transparent.
    /// - Returns: An upper estimate.
    package static func bytesNeeded(_ format: OutputFormat, size: PixelSize, pixels: Int, hasAlpha: Bool) -> Int {
        let estimate = format.writing.animation?.bytesNeeded ?? FormatCodec.AnimationWriting.usualBytesNeeded
        return estimate(size, pixels, hasAlpha)
    }
}
