import Geometry

/// Iterates over the chunks of a RIFF file: four characters, a length of 32 bits, data, and a padding byte if the
/// length is odd.
struct RIFFChunks {
    struct Chunk {
        let type: String
        /// The data, as far as they are present.
        let data: Range<Int>
        /// The end of the data as declared.
        let end: Int
        /// The start of the next chunk.
        var next: Int { end + (end - data.lowerBound) % 2 }
    }

    /// Bytes before the chunks of an ANMF chunk.
    static let frameHeader = 16

    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The end of the file according to its header.
    var end: Int { 8 + number(at: 4, bytes: 4) }

    /// A little-endian number.
    func number(at offset: Int, bytes count: Int) -> Int {
        (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    /// The chunk at `offset`; nil if its header is missing or its data extend beyond `end`.
    func chunk(at offset: Int, before end: Int) -> Chunk? {
        let data = offset + 8
        guard data <= end, data <= bytes.count else { return nil }
        let declaredEnd = data + number(at: offset + 4, bytes: 4)
        guard declaredEnd <= end else { return nil }
        let type = String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
        return Chunk(type: type, data: data..<min(declaredEnd, bytes.count), end: declaredEnd)
    }

    /// The first bitstream after `offset`, with a preceding ALPH chunk.
    func picture(from offset: Int, before end: Int) -> (bytes: Range<Int>, isComplete: Bool)? {
        var start: Int?
        var next = offset
        while let chunk = chunk(at: next, before: end) {
            let isPicture = chunk.type == "VP8 " || chunk.type == "VP8L"
            let begin = start ?? next
            if isPicture || chunk.type == "ALPH" { start = begin }
            if isPicture || (start != nil && chunk.end > bytes.count) {
                return (begin..<chunk.data.upperBound, chunk.end <= bytes.count)
            }
            next = chunk.next
        }
        return nil
    }

    /// The rectangle of an animation's frame.
    func frame(_ chunk: Chunk) throws(CodecError) -> PixelRect {
        guard chunk.data.count >= RIFFChunks.frameHeader else { throw missing("a frame is too short") }
        let start = chunk.data.lowerBound
        return PixelRect(
            x: 2 * number(at: start, bytes: 3),
            y: 2 * number(at: start + 3, bytes: 3),
            width: number(at: start + 6, bytes: 3) + 1,
            height: number(at: start + 9, bytes: 3) + 1
        )
    }

    /// The orientation in an EXIF chunk.
    ///
    /// Some programs prefix it with the six bytes of the JPEG format.
    func orientation(_ data: Range<Int>) -> Orientation {
        let isPrefixed = bytes[data].starts(with: Array("Exif\0\0".utf8))
        return ExifOrientation.parse(bytes.span.extracting(data.dropFirst(isPrefixed ? 6 : 0)))
    }

    /// The error for a missing part of the file: truncated or corrupt.
    func missing(_ message: String) -> CodecError {
        bytes.count < end ? .truncated(.webp) : .corrupt(.webp, message)
    }
}
