import Geometry

/// Counts the frames of a GIF file by its blocks, without decoding any (GIF89a, 17 to 27).
struct GIFBlocks {
    private var tally = FrameTally()
    /// The number of times that the animation plays; 0 is for ever.
    private var plays = 1
    private let screen: PixelSize
    private var delay = 0

    /// Reads up to the trailer, or up to the first block that is incomplete or unknown.
    init(_ bytes: [UInt8], screen: PixelSize) {
        self.screen = screen
        let span = bytes.span
        guard span.count > 13 else { return }
        var offset = 13 + Self.colorBytes(span[10])
        while let next = readBlock(span, at: offset) { offset = next }
    }

    /// The animation; nil if there are fewer than two complete frames.
    func animation(bytes: Int) -> AnimationInfo? { tally.info(plays: plays, bytes: bytes) }

    private mutating func readBlock(_ span: Span<UInt8>, at offset: Int) -> Int? {
        guard offset < span.count else { return nil }
        switch span[offset] {
        case 0x21: return readExtension(span, at: offset + 1)
        case 0x2C: return readFrame(span, at: offset + 1)
        default: return nil
        }
    }

    private mutating func readExtension(_ span: Span<UInt8>, at offset: Int) -> Int? {
        let blocks = offset + 1
        guard let end = Self.endOfBlocks(span, from: blocks) else { return nil }
        if span[offset] == 0xF9, span[blocks] == 4 { delay = Self.short(span, at: blocks + 2) }
        if span[offset] == 0xFF, span[blocks] == 11, Self.isLooping(span, at: blocks + 1) {
            let count = blocks + 12
            if span[count] == 3, span[count + 1] & 7 == 1 {
                let repeats = Self.short(span, at: count + 2)
                plays = repeats == 0 ? 0 : repeats + 1
            }
        }
        return end
    }

    private mutating func readFrame(_ span: Span<UInt8>, at offset: Int) -> Int? {
        guard offset + 9 <= span.count else { return nil }
        // The LZW minimum code size takes one byte before the blocks.
        let blocks = offset + 9 + Self.colorBytes(span[offset + 8]) + 1
        guard let end = Self.endOfBlocks(span, from: blocks) else { return nil }
        let area = Self.short(span, at: offset + 4) * Self.short(span, at: offset + 6)
        tally.add(milliseconds: delay * 10, area: area, canvas: screen.area)
        delay = 0
        return end
    }

    /// Whether an application extension is one of those that state repetitions.
    private static func isLooping(_ span: Span<UInt8>, at offset: Int) -> Bool {
        ["NETSCAPE2.0", "ANIMEXTS1.0"].contains { name in
            name.utf8.enumerated().allSatisfy { span[offset + $0.offset] == $0.element }
        }
    }

    /// The size of a colour table by the flags of the screen or a frame.
    fileprivate static func colorBytes(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    private static func short(_ span: Span<UInt8>, at offset: Int) -> Int {
        Int(span[offset]) | Int(span[offset + 1]) << 8
    }

    /// The end of blocks that each begin with their length; nil if they are incomplete.
    fileprivate static func endOfBlocks(_ span: Span<UInt8>, from start: Int) -> Int? {
        var offset = start
        while offset < span.count {
            let length = Int(span[offset])
            if length == 0 { return offset + 1 }
            offset += 1 + length
        }
        return nil
    }
}

/// Finds and writes XMP in a GIF file: an application extension whose content is the packet, not divided into blocks
/// (XMP specification, part 3, 1.1.2).
enum GIFMetadata {
    private static let name = Array("XMP DataXMP".utf8)

    /// The end of a packet: a reader of blocks that starts at any of these bytes arrives at the terminator.
    private static let trailer: [UInt8] = [1] + (0...255).reversed() + [0]

    /// The place of the packet; nil if there is none.
    static func packet(in bytes: [UInt8]) -> Range<Int>? {
        guard bytes.count > 13 else { return nil }
        let span = bytes.span
        var offset = 13 + GIFBlocks.colorBytes(bytes[10])
        while offset + 1 < bytes.count {
            var blocks = offset + 2
            if bytes[offset] == 0x2C {
                guard offset + 10 <= bytes.count else { return nil }
                blocks = offset + 11 + GIFBlocks.colorBytes(bytes[offset + 9])
            } else if bytes[offset] != 0x21 {
                return nil
            }
            guard let end = GIFBlocks.endOfBlocks(span, from: blocks) else { return nil }
            let start = blocks + 12
            if bytes[offset] == 0x21, bytes[offset + 1] == 0xFF, bytes[blocks] == 11,
                bytes[blocks + 1..<min(start, bytes.count)].elementsEqual(name), start + trailer.count < end
            {
                return start..<end - trailer.count
            }
            offset = end
        }
        return nil
    }

    /// A file with a packet behind its screen and the number of repetitions, which some readers expect first.
    static func adding(_ packet: [UInt8], to file: [UInt8]) -> [UInt8] {
        guard file.count > 13 else { return file }
        var place = 13 + GIFBlocks.colorBytes(file[10])
        if file.dropFirst(place).starts(with: [0x21, 0xFF, 11]), file.dropFirst(place + 3).starts(with: "NETSCAPE".utf8)
        {
            place += 19
        }
        guard place < file.count else { return file }
        return file[..<place] + [0x21, 0xFF, 11] + name + packet + trailer + file[place...]
    }
}
