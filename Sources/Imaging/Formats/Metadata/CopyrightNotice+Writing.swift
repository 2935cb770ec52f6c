package import Geometry

extension CopyrightNotice {
    /// An animated file with the notice; that of an AVIF is written with its frames.
    ///
    /// - Parameters:
    ///   - file: A file of ``AnimationEncoder`` or ``GIFCropping``.
    ///   - format: Its format.
    ///   - size: The size of its frames.
    /// - Returns: The file with XMP and, except for GIF, EXIF.
    package func added(toAnimation file: [UInt8], as format: ImageFormat, _ size: PixelSize) -> [UInt8] {
        switch format {
        case .webp: WebPEncoder.adding(nil, self, to: file, size)
        case .gif: added(toGIF: file)
        case .png: added(toPNG: file)
        default: file
        }
    }

    /// A GIF file with the notice as XMP.
    func added(toGIF file: [UInt8]) -> [UInt8] { GIFMetadata.adding(XMPPacket.bytes(of: self), to: file) }

    /// A JPEG file with the notice in two APP1 segments, EXIF and XMP, behind the JFIF segment.
    package func added(toJPEG file: [UInt8]) -> [UInt8] {
        var segments: [UInt8] = []
        if let exif = EXIFCopyright.bytes(of: self) { segments += Self.segment("Exif\0\0", exif) }
        segments += Self.segment("http://ns.adobe.com/xap/1.0/\0", XMPPacket.bytes(of: self))
        let hasJFIF = file.count > 6 && file[2] == 0xFF && file[3] == 0xE0
        let place = hasJFIF ? 4 + (Int(file[4]) << 8 | Int(file[5])) : 2
        guard place <= file.count else { return file }
        return file[..<place] + segments + file[place...]
    }

    /// A PNG file with the notice in an eXIf and an iTXt chunk behind its header.
    func added(toPNG file: [UInt8]) -> [UInt8] {
        // The signature, and IHDR of 13 bytes.
        let place = 8 + 25
        guard file.count > place else { return file }
        var chunks: [UInt8] = []
        if let exif = EXIFCopyright.bytes(of: self) { chunks += PNGChunks.chunk("eXIf", exif) }
        // Not compressed, and without language and translated keyword.
        chunks += PNGChunks.chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + XMPPacket.bytes(of: self))
        return file[..<place] + chunks + file[place...]
    }

    private static func segment(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let length = 2 + name.utf8.count + data.count
        return [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + Array(name.utf8) + data
    }
}
