import UntrustedText

/// Well-known unsupported formats, so that an error can name them.
enum ForeignFormat {
    /// The name of the format whose signature starts the bytes; nil if no signature matches.
    static func sniff(_ bytes: [UInt8]) -> String? {
        webM(bytes) ?? signatures.first { bytes.starts(with: $0.magic) }?.name ?? MediaBrands(bytes)?.family.rawValue
            ?? insideSignature(bytes) ?? transportStream(bytes) ?? cursorOrTarga(bytes) ?? markup(bytes)
    }

    /// Returns "WebM" if the header of a Matroska file has this document type.
    private static func webM(_ bytes: [UInt8]) -> String? {
        // DocType with a length of four bytes, in a header of 35 to 50 bytes.
        let type = [0x42, 0x82, 0x84] + Array("webm".utf8)
        guard bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) else { return nil }
        let places = 4..<max(4, min(bytes.count - type.count + 1, 64))
        return places.contains { bytes[$0...].starts(with: type) } ? "WebM" : nil
    }

    /// The name of a format whose signature is not at the start of the file.
    private static func insideSignature(_ bytes: [UInt8]) -> String? {
        insideSignatures.first { bytes.dropFirst($0.place).starts(with: $0.magic) }?.name
    }

    private static let insideSignatures: [(name: String, place: Int, magic: [UInt8])] = [
        ("DICOM", 128, Array("DICM".utf8)),
        ("AVI", 8, Array("AVI ".utf8)),
        ("WAV", 8, Array("WAVE".utf8)),
        ("CRW", 6, Array("HEAPCCDR".utf8)),
        ("Tar", 257, Array("ustar".utf8)),
        ("EMF", 40, Array(" EMF".utf8)),
        ("QuickTime", 4, Array("moov".utf8)),
        ("QuickTime", 4, Array("mdat".utf8)),
    ]

    /// A transport stream of MPEG: packets of 188 bytes, or of 192 with a time before each.
    private static func transportStream(_ bytes: [UInt8]) -> String? {
        for (start, length) in [(0, 188), (4, 192)] {
            let places = stride(from: start, to: min(bytes.count, start + 5 * length), by: length)
            if bytes.count > start + length, places.allSatisfy({ bytes[$0] == 0x47 }) { return "MPEG-TS" }
        }
        return nil
    }

    /// The name of the format of a Windows cursor or a Targa file.
    ///
    /// The first bytes of both may be equal.
    ///
    /// A cursor has at least one image, and 0 in the fourth byte of its entry. A Targa file has no signature at its
    /// start: its fields must be valid for its kind of image.
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
        // The image type without the run-length flag: 1 has a colour map, 2 is in colour, 3 is grey.
        guard [1, 2, 3, 9, 10, 11].contains(kind), number(12) > 0, number(14) > 0, bytes[17] & 0xC0 == 0 else {
            return false
        }
        if kind & 7 == 1 {
            return hasMap == 1 && [8, 16].contains(depth) && number(5) > 0 && [15, 16, 24, 32].contains(bytes[7])
        }
        // All known programs write an empty map if the map is not used.
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
            ("JNG", [0x8B, 0x4A, 0x4E, 0x47]),
            // Raw photographs of Fujifilm, Olympus, Panasonic, Minolta and Sigma.
            ("RAF", Array("FUJIFILMCCD-RAW".utf8)),
            ("ORF", Array("IIRO".utf8)),
            ("ORF", Array("IIRS".utf8)),
            ("ORF", Array("MMOR".utf8)),
            ("RW2", [0x49, 0x49, 0x55, 0x00]),
            ("MRW", [0x00, 0x4D, 0x52, 0x4D]),
            ("X3F", Array("FOVb".utf8)),
            ("ICNS", Array("icns".utf8)),
            ("XCF", Array("gimp xcf".utf8)),
            ("DDS", Array("DDS ".utf8)),
            ("DjVu", Array("AT&TFORM".utf8)),
            ("BPG", [0x42, 0x50, 0x47, 0xFB]),
            ("FLIF", Array("FLIF".utf8)),
            ("FITS", Array("SIMPLE  =".utf8)),
            ("WMF", [0xD7, 0xCD, 0xC6, 0x9A]),
            ("SGI", [0x01, 0xDA, 0x00, 0x01]),
            ("SGI", [0x01, 0xDA, 0x01, 0x01]),
            ("Sun raster", [0x59, 0xA6, 0x6A, 0x95]),
            ("FLV", Array("FLV".utf8)),
            ("MPEG", [0x00, 0x00, 0x01, 0xBA]),
            ("MPEG", [0x00, 0x00, 0x01, 0xB3]),
            ("Ogg", Array("OggS".utf8)),
            ("Windows Media", [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]),
            ("gzip", [0x1F, 0x8B]),
            ("ZIP", [0x50, 0x4B, 0x03, 0x04]),
            ("ZIP", [0x50, 0x4B, 0x05, 0x06]),
            ("RAR", Array("Rar!".utf8)),
            ("7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
            ("bzip2", Array("BZh".utf8)),
            ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
            ("Zstandard", [0x28, 0xB5, 0x2F, 0xFD]),
            ("Matroska", [0x1A, 0x45, 0xDF, 0xA3]),
        ] + (1...7).map { ("Netpbm", Array("P\($0)\n".utf8)) }

    private static func markup(_ bytes: [UInt8]) -> String? {
        if MarkupStart.root(of: bytes) == Array("svg".utf8) { return "SVG" }
        let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
        let head = String(decoding: bytes.prefix(1024).drop { blanks.contains($0) }, as: UTF8.self).bytes.lowercased()
        guard head.bytes.hasPrefix("<") else { return nil }
        return head.bytes.hasPrefix("<!doctype html") || head.bytes.contains("<html") ? "HTML" : nil
    }
}
