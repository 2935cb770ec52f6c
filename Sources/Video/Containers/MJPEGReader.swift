/// Reads the frames of an MJPEG stream, one at a time, without decoding them.
package struct MJPEGReader {
    private var reader: ByteReader
    private var splitter: MJPEGSplitter
    private var hasEnded = false

    /// A reader at the start of a stream of JPEG frames, or of a `multipart` body.
    ///
    /// - Parameters:
    ///   - reader: The stream, including the bytes that it has already buffered.
    ///   - limits: Frames of a larger size are skipped and counted in ``damaged``; a longer frame or gap is an error of
    ///     ``next()``.
    package init(_ reader: ByteReader, limits: MJPEGSplitter.Limits = MJPEGSplitter.Limits()) {
        self.reader = reader
        splitter = MJPEGSplitter(limits: limits)
    }

    /// Frames that were skipped so far because their structure is damaged.
    package var damaged: Int { splitter.damaged }

    /// The next frame; nil after the last.
    ///
    /// - Throws: ``VideoError``, or the error of the reader's source.
    package mutating func next() throws -> MJPEGSplitter.Frame? {
        while !hasEnded {
            if let frame = try splitter.next() { return frame }
            let bytes = try reader.some()
            if bytes.isEmpty {
                hasEnded = true
                splitter.finish()
            } else {
                splitter.append(bytes)
            }
        }
        return nil
    }
}
