/// Finds and writes XMP in a GIF file: an application extension whose content is the packet, not divided into blocks
/// (XMP specification, part 3, 1.1.2).
enum GIFMetadata {
    private static let name = Array("XMP DataXMP".utf8)

    /// What follows a packet: wherever a reader of blocks lands in it, it arrives at the end.
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
