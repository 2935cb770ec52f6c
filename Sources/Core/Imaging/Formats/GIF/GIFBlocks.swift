import Geometry

/// The extensions and frames of a GIF file in order, without decoding them (GIF89a, 17 to 27).
///
/// The sequence ends at the trailer, or before the first incomplete or unknown block.
struct GIFBlocks: Sequence, IteratorProtocol {
    /// The place of an extension or a frame.
    struct Block {
        let isFrame: Bool
        /// The first byte; the label of an extension, or the rectangle of a frame, follows it.
        let start: Int
        /// The blocks of data, which start with their length, and the terminator.
        let data: Range<Int>
    }

    private let bytes: [UInt8]
    private var offset: Int

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        offset = Self.firstBlock(of: bytes) ?? bytes.count
    }

    mutating func next() -> Block? {
        guard offset + 1 < bytes.count else { return nil }
        let isFrame = bytes[offset] == 0x2C
        var start = offset + 2
        if isFrame {
            guard offset + 10 <= bytes.count else { return nil }
            // The LZW minimum code size takes one byte before the blocks.
            start = offset + 11 + Self.colorBytes(bytes[offset + 9])
        } else if bytes[offset] != 0x21 {
            return nil
        }
        var end = start
        while end < bytes.count, bytes[end] != 0 { end += 1 + Int(bytes[end]) }
        guard end < bytes.count else { return nil }
        defer { offset = end + 1 }
        return Block(isFrame: isFrame, start: offset, data: start..<end + 1)
    }

    /// The offset after the screen descriptor and its colours; nil if the file ends too early.
    fileprivate static func firstBlock(of bytes: [UInt8]) -> Int? {
        bytes.count > 13 ? 13 + colorBytes(bytes[10]) : nil
    }

    /// The size of a colour table by the flags of the screen or a frame.
    private static func colorBytes(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    /// The application extensions that state repetitions.
    private static let looping = ["NETSCAPE2.0", "ANIMEXTS1.0"]

    /// Whether a block is an application extension with one of these names of eleven characters.
    fileprivate func isApplication(_ block: Block, _ names: [String]) -> Bool {
        let name = block.data.lowerBound + 1
        return !block.isFrame && bytes[block.start + 1] == 0xFF && bytes[name - 1] == 11
            && names.contains { bytes[name..<name + 11].elementsEqual($0.utf8) }
    }

    /// The animation on a screen; nil if there are fewer than two complete frames.
    func animation(screen: PixelSize, bytes needed: Int) -> AnimationInfo? {
        var (tally, plays, delay) = (FrameTally(), 1, 0)
        func number(at offset: Int) -> Int { bytes.littleEndian(at: offset, bytes: 2) ?? 0 }
        for block in self {
            let data = block.data.lowerBound
            if block.isFrame {
                let area = number(at: block.start + 5) * number(at: block.start + 7)
                tally.add(milliseconds: delay * 10, area: area, canvas: screen.area)
                delay = 0
            } else if bytes[block.start + 1] == 0xF9, bytes[data] == 4 {
                delay = number(at: data + 2)
            } else if isApplication(block, Self.looping), bytes[data + 12] == 3, bytes[data + 13] & 7 == 1 {
                let repeats = number(at: data + 14)
                plays = repeats == 0 ? 0 : repeats + 1
            }
        }
        return tally.info(plays: plays, bytes: needed)
    }
}

/// Finds and writes XMP in a GIF file: an application extension whose content is the packet, not divided into blocks
/// (XMP specification, part 3, 1.1.2).
enum GIFMetadata {
    private static let name = "XMP DataXMP"

    /// The end of a packet.
    ///
    /// If a block reader starts at any of these bytes, it ends at the terminator.
    private static let trailer: [UInt8] = [1] + (0...255).reversed() + [0]

    /// The range of the packet; nil if there is none.
    static func packet(in bytes: [UInt8]) -> Range<Int>? {
        let blocks = GIFBlocks(bytes)
        for block in blocks where blocks.isApplication(block, [name]) && block.data.count > 12 + trailer.count {
            return block.data.dropFirst(12).dropLast(trailer.count)
        }
        return nil
    }

    /// Returns the file with a packet after the screen descriptor and the number of repetitions, which some readers
    /// expect first.
    static func adding(_ packet: [UInt8], to file: [UInt8]) -> [UInt8] {
        guard var place = GIFBlocks.firstBlock(of: file) else { return file }
        if file.dropFirst(place).starts(with: [0x21, 0xFF, 11]), file.dropFirst(place + 3).starts(with: "NETSCAPE".utf8)
        {
            place += 19
        }
        guard place < file.count else { return file }
        return file[..<place] + [0x21, 0xFF, 11] + Array(name.utf8) + packet + trailer + file[place...]
    }
}
