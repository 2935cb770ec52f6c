/// The byte order of a TIFF structure; integers beyond its end are nil.
enum ByteOrder {
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
