extension CopyrightNotice {
    /// Reads the notice of a JPEG, PNG, WebP or GIF file; nil if it has none.
    ///
    /// XMP precedes IPTC, and both precede EXIF. Other metadata are not read, and invalid ones are passed over.
    package init?(of bytes: [UInt8], format: SourceFormat) {
        var blocks = MetadataBlocks()
        switch format {
        case .jpeg: blocks.readJPEG(bytes)
        case .png: blocks.readPNG(bytes)
        case .webp: blocks.readWebP(bytes)
        case .gif: blocks.readGIF(bytes)
        #if AVIF || HEIC || JPEGXL
        default: return nil
        #endif
        }
        var notice = CopyrightNotice()
        if let xmp = blocks.xmp { notice = notice.filled(from: XMPPacket(bytes[xmp]).notice) }
        if let iptc = blocks.photoshop { notice = notice.filled(from: IPTCRecords.notice(bytes[iptc])) }
        if let exif = blocks.exif { notice = notice.filled(from: EXIFCopyright.parse(bytes.span.extracting(exif))) }
        notice = notice.filled(from: CopyrightNotice(artist: blocks.author, copyright: blocks.copyright))
        guard !notice.isEmpty else { return nil }
        self = notice
    }
}

/// The places of metadata in a file.
struct MetadataBlocks {
    /// A TIFF structure.
    private(set) var exif: Range<Int>?
    /// An XMP packet in UTF-8.
    private(set) var xmp: Range<Int>?
    /// Image resources of Photoshop, which hold IPTC records.
    private(set) var photoshop: Range<Int>?
    /// The texts of a PNG.
    private(set) var author: String?
    private(set) var copyright: String?

    /// Finds the segments before the first scan (T.81, B.1.1.4).
    mutating func readJPEG(_ bytes: [UInt8]) {
        var offset = 2
        while offset + 4 <= bytes.count, bytes[offset] == 0xFF {
            let marker = bytes[offset + 1]
            // Start of scan and end of image end the header; fill bytes precede a marker.
            if marker == 0xDA || marker == 0xD9 { return }
            if marker == 0xFF {
                offset += 1
                continue
            }
            let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
            guard length >= 2, offset + 2 + length <= bytes.count else { return }
            let data = offset + 4..<offset + 2 + length
            switch marker {
            case 0xE1:
                if exif == nil { exif = Self.content(of: data, in: bytes, after: "Exif\0\0") }
                if xmp == nil { xmp = Self.content(of: data, in: bytes, after: "http://ns.adobe.com/xap/1.0/\0") }
            case 0xED:
                if photoshop == nil { photoshop = Self.content(of: data, in: bytes, after: "Photoshop 3.0\0") }
            default: break
            }
            offset += 2 + length
        }
    }

    /// Finds the chunks of a PNG (third edition, 5.3); compressed texts are not unpacked.
    mutating func readPNG(_ bytes: [UInt8]) {
        var offset = 8
        while offset + 12 <= bytes.count {
            let length = (0..<4).reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
            let start = offset + 8
            guard length <= bytes.count - start - 4 else { return }
            let data = start..<start + length
            switch String(decoding: bytes[offset + 4..<start], as: UTF8.self) {
            case "eXIf": exif = exif ?? data
            case "iTXt":
                // The keyword, NUL, no compression, its method, language and translated keyword with NUL each.
                guard xmp == nil, let rest = Self.content(of: data, in: bytes, after: "XML:com.adobe.xmp\0\0"),
                    let language = bytes[rest.dropFirst()].firstIndex(of: 0),
                    let keyword = bytes[language + 1..<rest.upperBound].firstIndex(of: 0)
                else { break }
                xmp = keyword + 1..<rest.upperBound
            case "tEXt":
                if let text = Self.content(of: data, in: bytes, after: "Author\0") {
                    author = author ?? CopyrightNotice.text(bytes[text])
                }
                if let text = Self.content(of: data, in: bytes, after: "Copyright\0") {
                    copyright = copyright ?? CopyrightNotice.text(bytes[text])
                }
            default: break
            }
            offset = start + length + 4
        }
    }

    /// Finds the chunks of a WebP (RFC 9649, 2.3).
    mutating func readWebP(_ bytes: [UInt8]) {
        var offset = 12
        while offset + 8 <= bytes.count {
            let length = (0..<4).reduce(0) { $0 | Int(bytes[offset + 4 + $1]) << (8 * $1) }
            let start = offset + 8
            guard length <= bytes.count - start else { return }
            let data = start..<start + length
            switch String(decoding: bytes[offset..<offset + 4], as: UTF8.self) {
            // Some programs prefix it with the six bytes of the JPEG format.
            case "EXIF": exif = exif ?? Self.content(of: data, in: bytes, after: "Exif\0\0") ?? data
            case "XMP ": xmp = xmp ?? data
            default: break
            }
            offset = start + length + length % 2
        }
    }

    /// Finds the packet of a GIF.
    mutating func readGIF(_ bytes: [UInt8]) { xmp = GIFMetadata.packet(in: bytes) }

    /// The part of a range after a prefix; nil if it does not begin with that.
    private static func content(of range: Range<Int>, in bytes: [UInt8], after prefix: String) -> Range<Int>? {
        guard bytes[range].starts(with: prefix.utf8) else { return nil }
        return range.lowerBound + prefix.utf8.count..<range.upperBound
    }
}
