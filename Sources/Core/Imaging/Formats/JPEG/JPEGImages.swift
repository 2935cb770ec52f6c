/// The ranges of consecutive JPEG images in a file, found by their markers (T.81, B.1.1).
///
/// Bytes between two images are skipped. An image without an end marker is omitted. Each byte is read a fixed number of
/// times.
struct JPEGImages: Sequence, IteratorProtocol {
    private static let startOfImage: UInt8 = 0xD8
    private static let endOfImage: UInt8 = 0xD9
    private static let startOfScan: UInt8 = 0xDA

    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Range<Int>? {
        let file = bytes
        let bytes = file.span
        while offset + 3 <= bytes.count {
            guard bytes[offset] == 0xFF, bytes[offset + 1] == Self.startOfImage, bytes[offset + 2] == 0xFF else {
                offset += 1
                continue
            }
            let start = offset
            // At least the start of image is consumed.
            let (end, isComplete) = Self.walk(bytes, from: start + 2)
            offset = end
            if isComplete { return start..<end }
        }
        return nil
    }

    /// Follows the segments and scans from an offset.
    ///
    /// The end is the offset after the EOI marker or, for an incomplete image, the offset where data or a marker is
    /// missing.
    private static func walk(_ bytes: Span<UInt8>, from start: Int) -> (end: Int, isComplete: Bool) {
        var offset = start
        while offset + 2 <= bytes.count, bytes[offset] == 0xFF {
            let marker = bytes[offset + 1]
            switch marker {
            // Fill bytes precede a marker.
            case 0xFF: offset += 1
            case endOfImage: return (offset + 2, true)
            // Markers without content: TEM and restarts.
            case 0x01, 0xD0...0xD7: offset += 2
            case 0x00, startOfImage: return (offset, false)
            default:
                guard offset + 4 <= bytes.count else { return (bytes.count, false) }
                let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
                guard length >= 2 else { return (offset + 2, false) }
                guard length <= bytes.count - offset - 2 else { return (offset + 2, false) }
                offset += 2 + length
                if marker == startOfScan { offset = endOfScan(bytes, from: offset) }
            }
        }
        return (offset, false)
    }

    /// The offset of the first marker after coded data, in which 0xFF is followed by 0 or a restart.
    private static func endOfScan(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var offset = start
        while offset + 1 < bytes.count {
            if bytes[offset] == 0xFF, bytes[offset + 1] != 0, !(0xD0...0xD7).contains(bytes[offset + 1]) {
                return offset
            }
            offset += 1
        }
        return bytes.count
    }
}
