extension [UInt8] {
    /// The bytes of a number, least significant byte first.
    init(littleEndian number: Int, count: Int) {
        self = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// The bytes of a number, most significant byte first.
    init(bigEndian number: Int, count: Int) { self = [UInt8](littleEndian: number, count: count).reversed() }

    /// Returns a number of up to four bytes, least significant byte first; nil if the file ends too early.
    func littleEndian(at offset: Int, bytes count: Int) -> Int? {
        guard offset >= 0, offset <= self.count - count else { return nil }
        return (0..<count).reduce(0) { $0 | Int(self[offset + $1]) << (8 * $1) }
    }

    /// A signed number of four bytes, least significant byte first; nil if the file ends too early.
    func signed(at offset: Int) -> Int? {
        littleEndian(at: offset, bytes: 4).map { Int(Int32(truncatingIfNeeded: $0)) }
    }
}
