import CZlib

/// A value in the format of a shared store.
///
/// It has a head, which describes the value, and a body.
///
/// The frame consists of a mark, the two lengths in 8 bytes each (little-endian), and a CRC-32 of key, head and body.
/// The CRC detects truncated or changed bytes, and bytes stored under another key. It protects only against accidents,
/// because anyone with write access to the store can compute a valid checksum.
package struct SharedRecord: Hashable, Sendable {
    /// The description of the value.
    package var head: [UInt8]
    /// The bytes of the value; empty if the head contains the whole value.
    package var body: [UInt8]

    private static let mark: [UInt8] = Array("HRC1".utf8)
    private static let frameBytes = mark.count + 8 + 8 + 4

    /// Creates a record without a frame.
    ///
    /// - Parameters:
    ///   - head: The description of the value.
    ///   - body: The bytes of the value; empty if the head contains the whole value.
    package init(head: [UInt8], body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    /// Returns the record with its frame.
    package func framed(for key: String) -> [UInt8] {
        var bytes = Self.mark
        bytes.reserveCapacity(Self.frameBytes + head.count + body.count)
        Self.append(UInt64(head.count), to: &bytes)
        Self.append(UInt64(body.count), to: &bytes)
        Self.append(checksum(key), to: &bytes)
        bytes += head
        bytes += body
        return bytes
    }

    /// Parses a framed record; nil if it is damaged or was stored under another key.
    package init?(framed bytes: [UInt8], for key: String) {
        guard bytes.count >= Self.frameBytes, bytes.starts(with: Self.mark) else { return nil }
        var offset = Self.mark.count
        let headCount: UInt64 = Self.number(bytes, &offset)
        let bodyCount: UInt64 = Self.number(bytes, &offset)
        let checksum: UInt32 = Self.number(bytes, &offset)
        let rest = UInt64(bytes.count - offset)
        guard headCount <= rest, bodyCount == rest - headCount else { return nil }
        head = Array(bytes[offset..<(offset + Int(headCount))])
        body = Array(bytes[(offset + Int(headCount))...])
        guard checksum == self.checksum(key) else { return nil }
    }

    private func checksum(_ key: String) -> UInt32 {
        var sum = crc32_z(0, nil, 0)
        for part in [Array(key.utf8), head, body] { sum = crc32_z(sum, part, part.count) }
        return UInt32(truncatingIfNeeded: sum)
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func number<Number: FixedWidthInteger>(_ bytes: [UInt8], _ offset: inout Int) -> Number {
        let end = offset + MemoryLayout<Number>.size
        defer { offset = end }
        return bytes[offset..<end].reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}
