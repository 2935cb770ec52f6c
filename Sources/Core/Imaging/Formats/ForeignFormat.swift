import UntrustedText

/// Well-known unsupported formats, so that an error can name them.
enum ForeignFormat {
    /// The name of the format whose signature the bytes begin with; nil if there is none.
    static func sniff(_ bytes: [UInt8]) -> String? {
        signatures.first { bytes.starts(with: $0.magic) }?.name ?? MediaBrands(bytes)?.family.rawValue
            ?? cursorOrTarga(bytes) ?? markup(bytes)
    }

    /// The name of a cursor of Windows or of a Targa file, whose first bytes may be equal.
    ///
    /// A cursor has at least one picture, and 0 in the fourth byte of its entry. A Targa file has no signature at its
    /// beginning: its fields must be such as its kind of picture can have.
    private static func cursorOrTarga(_ bytes: [UInt8]) -> String? {
        guard bytes.count >= 6 else { return nil }
        let count = Int(bytes[4]) | Int(bytes[5]) << 8
        let isTarga = bytes.count >= 18 && isTarga(bytes)
        guard bytes.starts(with: [0, 0, 2, 0]), count > 0, !isTarga else { return isTarga ? "Targa" : nil }
        return "Cursor"
    }

    private static func isTarga(_ bytes: [UInt8]) -> Bool {
        func number(_ place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }
        let (hasMap, kind, depth) = (bytes[1], bytes[2], bytes[16])
        // The kind without the flag of run lengths: 1 has a map of colours, 2 is in colour, 3 is grey.
        guard [1, 2, 3, 9, 10, 11].contains(kind), number(12) > 0, number(14) > 0, bytes[17] & 0xC0 == 0 else {
            return false
        }
        if kind & 7 == 1 {
            return hasMap == 1 && [8, 16].contains(depth) && number(5) > 0 && [15, 16, 24, 32].contains(bytes[7])
        }
        // A map that is not used has no entries in all known programs.
        guard hasMap == 0, number(3) == 0, number(5) == 0, bytes[7] == 0 else { return false }
        return kind & 7 == 2 ? [15, 16, 24, 32].contains(depth) : [8, 16].contains(depth)
    }

    private static let signatures: [(name: String, magic: [UInt8])] =
        [
            ("TIFF", [0x49, 0x49, 0x2A, 0x00]),
            ("TIFF", [0x4D, 0x4D, 0x00, 0x2A]),
            ("BigTIFF", [0x49, 0x49, 0x2B, 0x00]),
            ("BigTIFF", [0x4D, 0x4D, 0x00, 0x2B]),
            ("PDF", Array("%PDF-".utf8)),
            ("PostScript", Array("%!PS".utf8)),
            ("Photoshop", Array("8BPS".utf8)),
            ("JPEG XL", [0xFF, 0x0A]),
            ("JPEG XL", [0x00, 0x00, 0x00, 0x0C, 0x4A, 0x58, 0x4C, 0x20]),
            ("JPEG 2000", [0x00, 0x00, 0x00, 0x0C, 0x6A, 0x50, 0x20, 0x20]),
            ("JPEG 2000", [0xFF, 0x4F, 0xFF, 0x51]),
            ("JPEG XR", [0x49, 0x49, 0xBC, 0x01]),
            ("QOI", Array("qoif".utf8)),
            ("OpenEXR", [0x76, 0x2F, 0x31, 0x01]),
            ("Radiance HDR", Array("#?RADIANCE".utf8)),
            ("MNG", [0x8A, 0x4D, 0x4E, 0x47]),
            ("Matroska", [0x1A, 0x45, 0xDF, 0xA3]),
        ] + (1...7).map { ("Netpbm", Array("P\($0)\n".utf8)) }

    private static func markup(_ bytes: [UInt8]) -> String? {
        let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
        let head = String(decoding: bytes.prefix(1024).drop { blanks.contains($0) }, as: UTF8.self).bytes.lowercased()
        guard head.bytes.hasPrefix("<") else { return nil }
        if head.bytes.contains("<svg") { return "SVG" }
        return head.bytes.hasPrefix("<!doctype html") || head.bytes.contains("<html") ? "HTML" : nil
    }
}
