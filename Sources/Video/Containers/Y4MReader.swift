package import Imaging

/// Reads the frames of a Y4M file, one at a time.
///
/// Only one line and one frame are in memory. Both are limited, and the header is checked before a frame is allocated.
package struct Y4MReader {
    package let header: Y4MHeader
    /// The number of frames that were read.
    package private(set) var frames = 0
    private var reader: ByteReader
    private var bytes: [UInt8]

    /// Reads the header.
    ///
    /// - Throws: ``VideoError``, or the error of the reader's source.
    package init(_ reader: ByteReader) throws {
        var reader = reader
        let (line, isWhole) = try reader.line(atMost: Y4MHeader.maxLineBytes)
        guard isWhole || line.count < Y4MHeader.maxLineBytes else {
            let received = "a header of more than \(Y4MHeader.maxLineBytes) bytes"
            throw VideoError.invalid(received, expected: "a line feed after the tags")
        }
        guard isWhole else { throw VideoError.invalid("a header without a line feed", expected: "one after the tags") }
        header = try Y4MHeader(line)
        self.reader = reader
        bytes = []
    }

    /// The next frame; nil after the last.
    ///
    /// - Throws: ``VideoError``, ``CodecError/outOfMemory``, or the error of the reader's source.
    package mutating func next() throws -> RawFrame? {
        guard try reader.peek() != nil else { return nil }
        let (line, isWhole) = try reader.line(atMost: Y4MHeader.maxLineBytes)
        let word = Array("FRAME".utf8)
        guard isWhole, line.starts(with: word), line.count == word.count || line[word.count] == 0x20 else {
            let text = String(decoding: line.prefix(20).map { (0x20...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
            let reason = "\u{201C}\(text)\u{201D} is not valid; expected FRAME and a line feed"
            throw VideoError.corrupt(frame: frames, reason)
        }
        let count = header.layout.bytes(of: header.size)
        // bounded: the bytes of a frame of the header
        if bytes.count != count { bytes = [UInt8](repeating: 0, count: count) }
        let read = try reader.fill(&bytes)
        guard read == count else { throw VideoError.incomplete(frame: frames, bytes: read, of: count) }
        frames += 1
        return try RawFrame(size: header.size, layout: header.layout, bytes: bytes)
    }
}
