/// Reads and writes the TIFF structure of EXIF metadata (TIFF 6.0, sections 2 and 8).
enum EXIF {
    private static let orientation: UInt16 = 0x0112
    private static let artist: UInt16 = 0x013B
    private static let copyright: UInt16 = 0x8298

    private static let ascii: UInt16 = 2
    private static let short: UInt16 = 3
    private static let long: UInt16 = 4

    /// The maximum number of texts that are examined, including blank texts.
    ///
    /// Without it, a directory could refer to 65,535 texts.
    private static let maxTexts = 16

    /// The orientation; `up` if the tag is missing or out of range, or the structure is invalid.
    ///
    /// An image with a wrong tag is still accepted.
    static func orientation(_ tiff: Span<UInt8>) -> Orientation {
        guard let directory = TIFFDirectory(tiff) else { return .up }
        for index in 0..<directory.count {
            guard let entry = directory.entry(index, in: tiff) else { return .up }
            guard entry.tag == orientation else { continue }
            let value =
                switch entry.type {
                case short: directory.order.short(tiff, at: entry.value).map(Int.init)
                case long: directory.order.long(tiff, at: entry.value)
                default: nil as Int?
                }
            return value.flatMap(Orientation.init) ?? .up
        }
        return .up
    }

    /// Returns the values of the first valid Artist and the first valid Copyright; the notice is empty without them.
    ///
    /// At most ``maxTexts`` texts are read, and at most ``CopyrightNotice/maxBytesRead`` bytes of each.
    static func notice(_ tiff: Span<UInt8>) -> CopyrightNotice {
        var notice = CopyrightNotice()
        var texts = 0
        guard let directory = TIFFDirectory(tiff) else { return notice }
        for index in 0..<directory.count {
            guard let entry = directory.entry(index, in: tiff) else { return notice }
            guard entry.tag == artist || entry.tag == copyright, entry.type == ascii else { continue }
            let isArtist = entry.tag == artist
            guard (isArtist ? notice.artist : notice.copyright) == nil else { continue }
            texts += 1
            guard texts <= maxTexts else { return notice }
            // Up to four bytes are in the entry itself.
            let place = entry.count <= 4 ? entry.value : directory.order.long(tiff, at: entry.value) ?? 0
            guard place <= tiff.count, entry.count <= tiff.count - place else { continue }
            let count = min(entry.count, CopyrightNotice.maxBytesRead)
            let text = CopyrightNotice.text((place..<place + count).map { tiff[$0] })
            if isArtist { notice.artist = text } else { notice.copyright = text }
            if notice.artist != nil, notice.copyright != nil { return notice }
        }
        return notice
    }

    /// A TIFF structure with the artist and the copyright; nil without either.
    static func bytes(of notice: CopyrightNotice) -> [UInt8]? {
        let texts = [(artist, notice.artist), (copyright, notice.copyright)].compactMap { tag, text in
            text.map { (tag: tag, bytes: Array($0.utf8) + [0]) }
        }
        guard !texts.isEmpty else { return nil }
        // Little-endian; the directory is at 8, and the texts follow it.
        var header: [UInt8] = Array("II*\0".utf8) + number(8, bytes: 4) + number(texts.count, bytes: 2)
        var content: [UInt8] = []
        let start = header.count + 12 * texts.count + 4
        for text in texts {
            header +=
                number(Int(text.tag), bytes: 2) + number(Int(ascii), bytes: 2) + number(text.bytes.count, bytes: 4)
            if text.bytes.count <= 4 {
                header += text.bytes + Array(repeating: 0, count: 4 - text.bytes.count)
            } else {
                header += number(start + content.count, bytes: 4)
                content += text.bytes + (text.bytes.count % 2 == 0 ? [] : [0])
            }
        }
        return header + number(0, bytes: 4) + content
    }

    private static func number(_ value: Int, bytes count: Int) -> [UInt8] { [UInt8](littleEndian: value, count: count) }
}

/// The first directory of a TIFF structure.
private struct TIFFDirectory {
    struct Entry {
        let tag: UInt16
        let type: UInt16
        /// The number of values, which are bytes in a text.
        let count: Int
        /// The value, or the offset of a value with more than four bytes.
        let value: Int
    }

    let order: ByteOrder
    /// The number of entries; the last ones may be missing.
    let count: Int
    private let start: Int

    /// Nil if the structure is invalid.
    init?(_ tiff: Span<UInt8>) {
        guard let order = ByteOrder(tiff), let start = order.long(tiff, at: 4),
            let count = order.short(tiff, at: start)
        else { return nil }
        self.order = order
        self.start = start
        self.count = Int(count)
    }

    /// An entry; nil if it is incomplete.
    func entry(_ index: Int, in tiff: Span<UInt8>) -> Entry? {
        // Offsets have 32 bits and entries 12 bytes, so this cannot overflow.
        let place = start + 2 + 12 * index
        guard let tag = order.short(tiff, at: place), let type = order.short(tiff, at: place + 2),
            let count = order.long(tiff, at: place + 4)
        else { return nil }
        return Entry(tag: tag, type: type, count: count, value: place + 8)
    }
}

/// The byte order of a TIFF structure; integers beyond its end are nil.
private enum ByteOrder {
    case little
    case big

    init?(_ tiff: Span<UInt8>) {
        guard tiff.count >= 8, tiff[0] == tiff[1] else { return nil }
        switch tiff[0] {
        case UInt8(ascii: "I"): self = .little
        case UInt8(ascii: "M"): self = .big
        default: return nil
        }
    }

    func short(_ tiff: Span<UInt8>, at offset: Int) -> UInt16? {
        guard offset >= 0, offset < tiff.count - 1 else { return nil }
        let (first, second) = (UInt16(tiff[offset]), UInt16(tiff[offset + 1]))
        return self == .little ? second << 8 | first : first << 8 | second
    }

    func long(_ tiff: Span<UInt8>, at offset: Int) -> Int? {
        guard let first = short(tiff, at: offset), let second = short(tiff, at: offset + 2) else { return nil }
        return self == .little ? Int(second) << 16 | Int(first) : Int(first) << 16 | Int(second)
    }
}
