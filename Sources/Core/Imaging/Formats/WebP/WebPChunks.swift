import Geometry

/// The relevant chunks of a WebP file (RFC 9649, section 2).
///
/// For an animation, they are the chunks of the first frame.
///
/// libwebp's own demuxer is not used here, because it keeps a record of every chunk and frame before any limit can be
/// checked: 80 MiB for a file of 20 MiB that consists of empty chunks (libwebp 1.2.4). This parser keeps no records.
struct WebPChunks {
    /// The size of the image that the extended format declares; nil for the simple formats.
    private(set) var canvas: PixelSize?
    /// The rectangle of an animation's first frame on the canvas; nil for a still image.
    private(set) var frame: PixelRect?
    /// The bitstream with its chunk header and a preceding ALPH chunk, cut at the end of the file.
    private(set) var image: Range<Int>
    /// Whether all of `picture` is present.
    private(set) var isComplete: Bool
    private(set) var profile: Range<Int>?
    private(set) var orientation = Orientation.up

    /// Whether a file's VP8X chunk announces an animation; the rest is not examined.
    static func announceAnimation(_ bytes: ArraySlice<UInt8>) -> Bool {
        let head = Array(bytes.prefix(21))
        return head.count > 20 && head[12..<16].elementsEqual("VP8X".utf8)
            && Flags(rawValue: head[20]).contains(.animation)
    }

    /// Finds the chunks, in linear time and constant memory.
    ///
    /// - Parameter bytes: A file that starts with the signature.
    /// - Throws: ``CodecError/truncated(_:)`` or ``CodecError/corrupt(_:_:)`` if there is no image.
    init(_ bytes: [UInt8]) throws(CodecError) {
        let riff = RIFFChunks(bytes)
        guard let first = riff.chunk(at: 12, before: riff.end) else { throw riff.missing("it has no chunks") }
        if first.type == "VP8X" {
            try self.init(extended: first, in: riff)
        } else {
            try self.init(simple: riff)
        }
    }

    private init(simple riff: RIFFChunks) throws(CodecError) {
        guard let found = riff.image(from: 12, before: riff.end), found.bytes.lowerBound == 12 else {
            throw .corrupt(.webp, "its first chunk is not an image chunk")
        }
        image = found.bytes
        isComplete = found.isComplete
    }

    private init(extended header: RIFFChunks.Chunk, in riff: RIFFChunks) throws(CodecError) {
        guard header.data.count >= 10 else { throw riff.missing("its VP8X chunk is too short") }
        let flags = Flags(rawValue: riff.bytes[header.data.lowerBound])
        canvas = riff.size(at: header.data.lowerBound + 4)
        var found: (bytes: Range<Int>, isComplete: Bool)?
        var next = header.next
        while let chunk = riff.chunk(at: next, before: riff.end) {
            switch chunk.type {
            case "ICCP" where flags.contains(.profile) && profile == nil && found == nil:
                profile = chunk.data
            case "EXIF" where flags.contains(.exif):
                orientation = riff.orientation(chunk.data)
            case "ANMF" where flags.contains(.animation) && found == nil:
                frame = try riff.frame(chunk)
                found = riff.image(from: chunk.data.lowerBound + RIFFChunks.frameHeader, before: chunk.end)
                guard found != nil else { throw riff.missing("its first frame has no image") }
            case "ALPH", "VP8 ", "VP8L":
                guard found == nil, !flags.contains(.animation) else { break }
                found = riff.image(from: next, before: riff.end)
                guard found != nil else { throw riff.missing("it has no image") }
            default:
                break
            }
            if found != nil, chunk.type == "EXIF" || !flags.contains(.exif) { break }
            next = chunk.next
        }
        guard let found else { throw riff.missing("it has no image") }
        image = found.bytes
        isComplete = found.isComplete
    }

    /// The first byte of the VP8X chunk.
    ///
    /// Chunks without a flag here are ignored, as in browsers.
    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let animation = Flags(rawValue: 0x02)
        static let exif = Flags(rawValue: 0x08)
        static let profile = Flags(rawValue: 0x20)
    }
}

/// Iterates over the chunks of a RIFF file: four characters, a length of 32 bits, data, and a padding byte if the
/// length is odd.
struct RIFFChunks {
    struct Chunk {
        let type: String
        /// The data, cut at the end of the file.
        let data: Range<Int>
        /// The end of the data as declared.
        let end: Int
        var next: Int { end + (end - data.lowerBound) % 2 }
    }

    /// Bytes before the chunks of an ANMF chunk.
    static let frameHeader = 16

    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The end of the file according to its header.
    var end: Int { 8 + number(at: 4, bytes: 4) }

    /// A number, least significant byte first.
    func number(at offset: Int, bytes count: Int) -> Int { bytes.littleEndian(at: offset, bytes: count) ?? 0 }

    /// Reads two numbers of three bytes; each is the length of a side minus 1.
    func size(at offset: Int) -> PixelSize {
        PixelSize(width: number(at: offset, bytes: 3) + 1, height: number(at: offset + 3, bytes: 3) + 1)
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
    func image(from offset: Int, before end: Int) -> (bytes: Range<Int>, isComplete: Bool)? {
        var start: Int?
        var next = offset
        while let chunk = chunk(at: next, before: end) {
            let isImage = chunk.type == "VP8 " || chunk.type == "VP8L"
            let begin = start ?? next
            if isImage || chunk.type == "ALPH" { start = begin }
            if isImage || (start != nil && chunk.end > bytes.count) {
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
        return PixelRect(size(at: start + 6))
            .moved(x: 2 * number(at: start, bytes: 3), y: 2 * number(at: start + 3, bytes: 3))
    }

    /// The orientation in an EXIF chunk.
    ///
    /// Some programs prefix it with the six bytes of the JPEG format.
    func orientation(_ data: Range<Int>) -> Orientation {
        let isPrefixed = bytes[data].starts(with: JPEGSegments.exifName.utf8)
        return EXIF.orientation(bytes.span.extracting(data.dropFirst(isPrefixed ? 6 : 0)))
    }

    /// The error for a missing part of the file: truncated or corrupt.
    fileprivate func missing(_ message: String) -> CodecError {
        bytes.count < end ? .truncated(.webp) : .corrupt(.webp, message)
    }
}
