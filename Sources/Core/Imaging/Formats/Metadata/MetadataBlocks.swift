/// The ranges of metadata in a file.
struct MetadataBlocks {
    /// A TIFF structure.
    private(set) var exif: Range<Int>?
    /// An XMP packet in UTF-8.
    private(set) var xmp: Range<Int>?
    /// Image resources of Photoshop, which contain IPTC records.
    private(set) var photoshop: Range<Int>?
    /// The texts of a PNG.
    private(set) var author: String?
    private(set) var copyright: String?

    init(jpeg bytes: [UInt8]) {
        for (marker, data) in JPEGSegments(bytes[...]) {
            switch marker {
            case 0xE1:
                exif = exif ?? Self.content(of: data, in: bytes, after: JPEGSegments.exifName)
                xmp = xmp ?? Self.content(of: data, in: bytes, after: JPEGSegments.xmpName)
            case 0xED: photoshop = photoshop ?? Self.content(of: data, in: bytes, after: "Photoshop 3.0\0")
            default: break
            }
        }
    }

    /// Finds the chunks of a PNG (third edition, 5.3); compressed texts are not decompressed.
    init(png bytes: [UInt8]) {
        for chunk in PNGChunks(bytes[...]) {
            let data = chunk.data
            switch chunk.kind {
            case .exif: exif = exif ?? data
            case .itxt:
                // The keyword, NUL, no compression, its method, and an empty language and translated keyword, each with
                // NUL.
                guard xmp == nil, let rest = Self.content(of: data, in: bytes, after: "XML:com.adobe.xmp\0\0"),
                    let language = bytes[rest.dropFirst()].firstIndex(of: 0),
                    let keyword = bytes[language + 1..<rest.upperBound].firstIndex(of: 0)
                else { break }
                xmp = keyword + 1..<rest.upperBound
            case .text:
                if let text = Self.content(of: data, in: bytes, after: "Author\0") {
                    author = author ?? CopyrightNotice.text(bytes[text])
                }
                if let text = Self.content(of: data, in: bytes, after: "Copyright\0") {
                    copyright = copyright ?? CopyrightNotice.text(bytes[text])
                }
            default: break
            }
        }
    }

    /// Finds the chunks of a WebP (RFC 9649, 2.3).
    init(webp bytes: [UInt8]) {
        let riff = RIFFChunks(bytes)
        var offset = 12
        while let chunk = riff.chunk(at: offset, before: bytes.count) {
            let data = chunk.data
            switch chunk.type {
            // Some programs prefix it with the six bytes of the JPEG format.
            case "EXIF": exif = exif ?? Self.content(of: data, in: bytes, after: JPEGSegments.exifName) ?? data
            case "XMP ": xmp = xmp ?? data
            default: break
            }
            offset = chunk.next
        }
    }

    init(gif bytes: [UInt8]) { xmp = GIFMetadata.packet(in: bytes) }

    /// The part of a range after a prefix; nil if it does not start with the prefix.
    private static func content(of range: Range<Int>, in bytes: [UInt8], after prefix: String) -> Range<Int>? {
        guard bytes[range].starts(with: prefix.utf8) else { return nil }
        return range.lowerBound + prefix.utf8.count..<range.upperBound
    }
}
