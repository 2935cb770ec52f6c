package import Geometry

/// The author of an image, and its copyright notice.
package struct CopyrightNotice: Hashable, Sendable {
    /// The name of the person who made the image; several names are separated by semicolons.
    package var artist: String?
    package var copyright: String?
    /// The line that must be printed next to the image.
    package var credit: String?

    /// The maximum size of a written text in UTF-8, in bytes; longer texts are cut.
    static let maxBytes = 1024
    /// The maximum size of a text that is read from a file, in bytes.
    static let maxBytesRead = 4 * maxBytes

    /// A notice.
    ///
    /// Nil means that a text is unknown. Long texts are cut only when they are written.
    ///
    /// - Parameters:
    ///   - artist: The author of the image; several names are separated by semicolons.
    ///   - copyright: The notice itself, for example `© 2026 Jane Doe`.
    ///   - credit: The line to print next to the image.
    package init(artist: String? = nil, copyright: String? = nil, credit: String? = nil) {
        self.artist = artist
        self.copyright = copyright
        self.credit = credit
    }

    package var isEmpty: Bool { artist == nil && copyright == nil && credit == nil }

    /// The notice, with missing texts filled in from another notice.
    private func filled(from other: CopyrightNotice) -> CopyrightNotice {
        CopyrightNotice(
            artist: artist ?? other.artist,
            copyright: copyright ?? other.copyright,
            credit: credit ?? other.credit
        )
    }

    /// A text from a file: UTF-8 or otherwise Latin-1, up to the first NUL, without control characters or spaces at its
    /// ends; nil if it is empty.
    static func text(_ bytes: some Sequence<UInt8>) -> String? {
        let bytes = Array(bytes.prefix { $0 != 0 }.prefix(maxBytesRead))
        // The last character may be truncated.
        let maximum = bytes.count == maxBytesRead ? 3 : 0
        let unicode = (0...maximum).lazy.compactMap { String(validating: bytes.dropLast($0), as: UTF8.self) }.first
        let text = unicode ?? String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
        var scalars = String.UnicodeScalarView()
        var count = 0
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            let next: UnicodeScalar = isControl ? " " : scalar
            if scalars.isEmpty, next == " " { continue }
            count += String(next).utf8.count
            guard count <= maxBytes else { break }
            scalars.append(next)
        }
        while scalars.last == " " { scalars.removeLast() }
        return scalars.isEmpty ? nil : String(scalars)
    }

    // MARK: Reading

    /// Reads the notice of a JPEG, PNG, WebP or GIF file; nil if there is none.
    ///
    /// XMP precedes IPTC, and both precede EXIF. Other metadata are not read, and invalid metadata are skipped.
    package init?(of bytes: [UInt8], format: InputFormat) {
        guard let blocks = format.codec.findMetadata?(bytes) else { return nil }
        var notice = CopyrightNotice()
        if let xmp = blocks.xmp { notice = notice.filled(from: XMPPacket(bytes[xmp]).notice) }
        if let iptc = blocks.photoshop { notice = notice.filled(from: IPTCRecords.notice(bytes[iptc])) }
        if let exif = blocks.exif { notice = notice.filled(from: EXIF.notice(bytes.span.extracting(exif))) }
        notice = notice.filled(from: CopyrightNotice(artist: blocks.author, copyright: blocks.copyright))
        guard !notice.isEmpty else { return nil }
        self = notice
    }

    // MARK: Writing

    /// A file of ``AnimationEncoder`` or ``GIFCropping`` with the notice as XMP and, except for GIF, EXIF.
    ///
    /// The notice of an AVIF is written with its frames.
    package func added(toAnimation file: [UInt8], as format: OutputFormat, _ size: PixelSize) -> [UInt8] {
        format.writing.animation?.addNotice?(self, file, size) ?? file
    }

    /// A GIF file with the notice as XMP.
    func added(toGIF file: [UInt8]) -> [UInt8] { GIFMetadata.adding(XMPPacket.bytes(of: self), to: file) }

    /// A JPEG file with the notice in two APP1 segments, EXIF and XMP, after the JFIF segment.
    package func added(toJPEG file: [UInt8]) -> [UInt8] {
        let exif = EXIF.bytes(of: self).map { JPEGSegments.segment(0xE1, JPEGSegments.exifName, $0) } ?? []
        let xmp = JPEGSegments.segment(0xE1, JPEGSegments.xmpName, XMPPacket.bytes(of: self))
        let place = JPEGSegments.placeToAdd(in: file)
        return file[..<place] + exif + xmp + file[place...]
    }

    /// A PNG file with the notice in an eXIf and an iTXt chunk after its header.
    func added(toPNG file: [UInt8]) -> [UInt8] {
        // The signature, and IHDR of 13 bytes.
        let place = 8 + 25
        guard file.count > place else { return file }
        var chunks: [UInt8] = []
        if let exif = EXIF.bytes(of: self) { chunks += PNGChunks.chunk("eXIf", exif) }
        // Uncompressed, without language and translated keyword.
        chunks += PNGChunks.chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + XMPPacket.bytes(of: self))
        return file[..<place] + chunks + file[place...]
    }
}

/// Reads IPTC records from Photoshop's image resources (IPTC IIM 4.2, 1.6; Adobe Photoshop file formats).
private enum IPTCRecords {
    /// The notice in records 2:80 (by-line), 2:110 (credit) and 2:116 (copyright notice).
    static func notice(_ resources: ArraySlice<UInt8>) -> CopyrightNotice {
        var notice = CopyrightNotice()
        guard let data = records(in: resources) else { return notice }
        var offset = data.lowerBound
        while offset + 5 <= data.upperBound, resources[offset] == 0x1C {
            let (record, number) = (resources[offset + 1], resources[offset + 2])
            let length = Int(resources[offset + 3]) << 8 | Int(resources[offset + 4])
            // A length with its highest bit set is the size of an extended length; these texts never need one.
            guard length < 0x8000, offset + 5 + length <= data.upperBound else { return notice }
            let content = resources[offset + 5..<offset + 5 + length]
            switch (record, number) {
            case (2, 80): notice.artist = notice.artist ?? CopyrightNotice.text(content)
            case (2, 110): notice.credit = notice.credit ?? CopyrightNotice.text(content)
            case (2, 116): notice.copyright = notice.copyright ?? CopyrightNotice.text(content)
            default: break
            }
            offset += 5 + length
        }
        return notice
    }

    /// The range of resource 0x0404.
    private static func records(in resources: ArraySlice<UInt8>) -> Range<Int>? {
        var offset = resources.startIndex
        while offset + 12 <= resources.endIndex, resources[offset..<offset + 4].elementsEqual("8BIM".utf8) {
            let number = Int(resources[offset + 4]) << 8 | Int(resources[offset + 5])
            // The name starts with its length, and both together have an even number of bytes.
            let size = offset + 6 + (Int(resources[offset + 6]) + 2) / 2 * 2
            guard size + 4 <= resources.endIndex else { return nil }
            let length = (0..<4).reduce(0) { $0 << 8 | Int(resources[size + $1]) }
            let start = size + 4
            guard length <= resources.endIndex - start else { return nil }
            if number == 0x0404 { return start..<start + length }
            offset = start + length + length % 2
        }
        return nil
    }
}
