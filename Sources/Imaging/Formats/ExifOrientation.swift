/// Reads the Orientation tag from the TIFF structure of EXIF metadata (TIFF 6.0, section 2).
enum ExifOrientation {
    private static let tag: UInt16 = 0x0112
    private static let short: UInt16 = 3
    private static let long: UInt16 = 4

    /// The orientation; `up` if the tag is missing or out of range, or the structure is invalid.
    ///
    /// A wrong tag is no reason to refuse a picture.
    static func parse(_ tiff: Span<UInt8>) -> Orientation {
        guard let order = ByteOrder(tiff), let directory = order.long(tiff, at: 4),
            let count = order.short(tiff, at: directory)
        else { return .up }
        for index in 0..<Int(count) {
            // Offsets have 32 bits and entries 12 bytes, so this cannot overflow.
            let entry = directory + 2 + 12 * index
            guard let found = order.short(tiff, at: entry), let type = order.short(tiff, at: entry + 2) else {
                return .up
            }
            guard found == tag else { continue }
            let value =
                switch type {
                case short: order.short(tiff, at: entry + 8).map(Int.init)
                case long: order.long(tiff, at: entry + 8)
                default: nil as Int?
                }
            return value.flatMap(Orientation.init) ?? .up
        }
        return .up
    }
}

/// The byte order of a TIFF structure; integers beyond its end are nil.
private enum ByteOrder {
    case little
    case big

    init?(_ tiff: Span<UInt8>) {
        guard tiff.count >= 8, tiff[0] == tiff[1] else { return nil }
        switch tiff[0] {
        case UInt8(ascii: "I"): self = .little
        case UInt8(ascii: "M"): self = .big
        default: return nil
        }
    }

    func short(_ tiff: Span<UInt8>, at offset: Int) -> UInt16? {
        guard offset >= 0, offset < tiff.count - 1 else { return nil }
        let (first, second) = (UInt16(tiff[offset]), UInt16(tiff[offset + 1]))
        return self == .little ? second << 8 | first : first << 8 | second
    }

    func long(_ tiff: Span<UInt8>, at offset: Int) -> Int? {
        guard let first = short(tiff, at: offset), let second = short(tiff, at: offset + 2) else { return nil }
        return self == .little ? Int(second) << 16 | Int(first) : Int(first) << 16 | Int(second)
    }
}
