extension CopyrightNotice {
    /// A JPEG file with the notice in two APP1 segments, EXIF and XMP, behind the JFIF segment.
    package func added(toJPEG file: [UInt8]) -> [UInt8] {
        var segments: [UInt8] = []
        if let exif = ExifNotice.bytes(of: self) { segments += Self.segment("Exif\0\0", exif) }
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
        if let exif = ExifNotice.bytes(of: self) { chunks += Self.chunk("eXIf", exif) }
        // Not compressed, and without language and translated keyword.
        chunks += Self.chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + XMPPacket.bytes(of: self))
        return file[..<place] + chunks + file[place...]
    }

    private static func segment(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let length = 2 + name.utf8.count + data.count
        return [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + Array(name.utf8) + data
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(type.utf8) + data
        return number(UInt32(data.count)) + content + number(checksum(content))
    }

    private static func number(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// The CRC-32 of a chunk (PNG, third edition, 5.5), bit by bit: texts are short.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1) * 0xEDB8_8320 }
        }
    }
}
