/// One header of a tar archive (POSIX.1-1988 ustar, and GNU's and POSIX.1-2001's additions), before extended headers apply.
struct TarHeader: Equatable {
    /// The length of a header, and the unit of contents.
    static let blockBytes = 512

    /// The kinds of members.
    enum Kind: Equatable {
        case file, folder, link
        /// GNU: a file whose content has holes.
        case sparse
        /// GNU: the name, or the target, of the next member.
        case longName, longLink
        /// POSIX: fields of the next member, or of all further ones.
        case extended, global
        case other
    }

    var name: String
    var size: Int
    var kind: Kind

    /// Why a block is no header.
    enum Problem: Error, Equatable {
        case checksum
        case size
        case name
    }

    /// Parses a block of ``blockBytes`` bytes.
    init(_ block: ArraySlice<UInt8>) throws(Problem) {
        let bytes = Array(block)
        guard bytes.count == Self.blockBytes, Self.number(bytes[148..<156]) == Self.checksum(bytes) else {
            throw .checksum
        }
        guard let size = Self.number(bytes[124..<136]), size <= 1 << 48 else { throw .size }
        self.size = size
        switch bytes[156] {
        case 0, UInt8(ascii: "0"), UInt8(ascii: "7"): kind = .file
        case UInt8(ascii: "1"), UInt8(ascii: "2"): kind = .link
        case UInt8(ascii: "5"): kind = .folder
        case UInt8(ascii: "S"): kind = .sparse
        case UInt8(ascii: "L"): kind = .longName
        case UInt8(ascii: "K"): kind = .longLink
        case UInt8(ascii: "x"): kind = .extended
        case UInt8(ascii: "g"): kind = .global
        default: kind = .other
        }
        // Contents of these are not stored, whatever the size says.
        if kind == .link || kind == .folder { self.size = 0 }
        // GNU's magic ends in blanks, and its bytes at 345 are no prefix.
        let hasPrefix = bytes[257..<263].elementsEqual("ustar\0".utf8)
        let parts = (hasPrefix ? [bytes[345..<500]] : []) + [bytes[0..<100]]
        let texts = parts.map { String(validating: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if texts.contains(nil) { throw .name }
        name = texts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "/")
    }

    /// The content's length in the archive: a whole number of blocks.
    var paddedSize: Int { (size + Self.blockBytes - 1) / Self.blockBytes * Self.blockBytes }

    /// The sum of all bytes, those of the checksum counted as blanks.
    static func checksum(_ block: [UInt8]) -> Int {
        block.enumerated().reduce(0) { $0 + (148..<156 ~= $1.offset ? 0x20 : Int($1.element)) }
    }

    /// A number in octal digits, or GNU's in base 256; nil for other bytes and for negative numbers.
    static func number(_ field: ArraySlice<UInt8>) -> Int? {
        if let first = field.first, first & 0x80 != 0 {
            guard first == 0x80, field.dropFirst().dropLast(7).allSatisfy({ $0 == 0 }) else { return nil }
            return field.suffix(7).reduce(0) { $0 << 8 | Int($1) }
        }
        let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0 && $0 != 0x20 }
        guard digits.allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 << 3 | Int($1 - 0x30) }
    }
}
