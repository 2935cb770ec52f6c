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
