/// The segments of a JPEG before its first scan (T.81, B.1.1.4): their markers, and the places of their content.
struct JPEGSegments: Sequence, IteratorProtocol {
    static let xmpName = "http://ns.adobe.com/xap/1.0/\0"
    static let exifName = "Exif\0\0"

    private let bytes: ArraySlice<UInt8>
    private var offset: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        offset = bytes.startIndex + 2
    }

    mutating func next() -> (marker: UInt8, content: Range<Int>)? {
        while offset + 4 <= bytes.endIndex, bytes[offset] == 0xFF {
            let marker = bytes[offset + 1]
            // Start of scan and end of image end the header; fill bytes precede a marker.
            if marker == 0xDA || marker == 0xD9 { return nil }
            if marker == 0xFF {
                offset += 1
                continue
            }
            let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
            guard length >= 2, offset + 2 + length <= bytes.endIndex else { return nil }
            defer { offset += 2 + length }
            return (marker, offset + 4..<offset + 2 + length)
        }
        return nil
    }

    /// Returns the content, after the name, of the first segment with a marker and a name.
    ///
    /// Only the first thousand segments are examined; a profile has up to 255.
    func content(_ marker: UInt8, _ name: String) -> ArraySlice<UInt8>? {
        prefix(1000).lazy.filter { $0.marker == marker }.map { bytes[$0.content] }
            .first { $0.starts(with: name.utf8) }?.dropFirst(name.utf8.count)
    }

    var xmp: ArraySlice<UInt8>? { content(0xE1, Self.xmpName) }

    static func segment(_ marker: UInt8, _ name: String, _ data: [UInt8]) -> [UInt8] {
        let length = 2 + name.utf8.count + data.count
        return [0xFF, marker] + [UInt8](bigEndian: length, count: 2) + Array(name.utf8) + data
    }

    /// Returns the offset after the JFIF segment, where segments can be inserted.
    static func placeToAdd(in file: [UInt8]) -> Int {
        let hasJFIF = file.count > 6 && file[2] == 0xFF && file[3] == 0xE0
        return Swift.min(file.count, hasJFIF ? 4 + (Int(file[4]) << 8 | Int(file[5])) : 2)
    }
}
