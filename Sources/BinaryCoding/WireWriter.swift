/// A growing byte buffer.
final class WireWriter {
    private(set) var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(1024) }

    /// Writes a number in little-endian order.
    func put(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes bytes.
    func put(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// Reserves space for a count, and returns its position.
    func reserveCount() -> Int {
        put(UInt32(0))
        return bytes.count - 4
    }

    /// Writes a count into reserved space.
    func setCount(_ count: Int, at place: Int) {
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: count >> (8 * index)) }
    }
}
