import Geometry

/// The relevant chunks of a WebP file (RFC 9649, section 2); of an animation, those of the first frame.
///
/// libwebp's own demuxer is not used here, because it keeps a record of every chunk and frame before any limit can be
/// checked: 80 MiB for a file of 20 MiB that consists of empty chunks (libwebp 1.2.4). This one keeps nothing.
struct WebPChunks {
    /// The size of the picture as the extended format declares it, nil for the simple formats.
    private(set) var canvas: PixelSize?
    /// The rectangle of an animation's first frame on the canvas; nil for a still picture.
    private(set) var frame: PixelRect?
    /// The bitstream with its chunk header and a preceding ALPH chunk, as far as it is present.
    private(set) var picture: Range<Int>
    /// Whether all of `picture` is present.
    private(set) var isComplete: Bool
    /// The ICC profile.
    private(set) var profile: Range<Int>?
    /// The transformation to the upright picture.
    private(set) var orientation = Orientation.up

    /// Finds the chunks, in linear time and constant memory.
    ///
    /// - Parameter bytes: A file that begins with the signature.
    /// - Throws: ``CodecError/truncated(_:)`` or ``CodecError/corrupt(_:_:)`` if there is no picture.
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
        guard let found = riff.picture(from: 12, before: riff.end), found.bytes.lowerBound == 12 else {
            throw .corrupt(.webp, "it begins with a chunk of no picture")
        }
        picture = found.bytes
        isComplete = found.isComplete
    }

    private init(extended header: RIFFChunks.Chunk, in riff: RIFFChunks) throws(CodecError) {
        guard header.data.count >= 10 else { throw riff.missing("its VP8X chunk is too short") }
        let flags = Flags(rawValue: riff.bytes[header.data.lowerBound])
        let fields = header.data.lowerBound + 4
        canvas = PixelSize(
            width: riff.number(at: fields, bytes: 3) + 1,
            height: riff.number(at: fields + 3, bytes: 3) + 1
        )
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
                found = riff.picture(from: chunk.data.lowerBound + RIFFChunks.frameHeader, before: chunk.end)
                guard found != nil else { throw riff.missing("its first frame has no picture") }
            case "ALPH", "VP8 ", "VP8L":
                guard found == nil, !flags.contains(.animation) else { break }
                found = riff.picture(from: next, before: riff.end)
                guard found != nil else { throw riff.missing("it has no picture") }
            default:
                break
            }
            if found != nil, chunk.type == "EXIF" || !flags.contains(.exif) { break }
            next = chunk.next
        }
        guard let found else { throw riff.missing("it has no picture") }
        picture = found.bytes
        isComplete = found.isComplete
    }

    /// The first byte of the VP8X chunk.
    ///
    /// Chunks that it does not announce are ignored, as in browsers.
    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let animation = Flags(rawValue: 0x02)
        static let exif = Flags(rawValue: 0x08)
        static let profile = Flags(rawValue: 0x20)
    }
}
