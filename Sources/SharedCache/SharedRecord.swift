import CZlib

/// A value on its way to or from a shared store: a head that describes it, and a body.
///
/// Framed by a mark, both lengths in 8 bytes with the least significant first, and a CRC-32 over key, head and body, so
/// that bytes that were cut off, changed, or written under another key are known. That guards against accidents: whoever
/// may write to the store on purpose can make a good checksum too.
package struct SharedRecord: Hashable, Sendable {
    /// Describes the value.
    package var head: [UInt8]
    /// The value's bytes; empty for one that its head tells all of.
    package var body: [UInt8]

    private static let mark: [UInt8] = Array("HRC1".utf8)
    private static let frameBytes = mark.count + 8 + 8 + 4

    /// A record.
    package init(head: [UInt8], body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    /// The record in its frame.
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

    /// Takes a record out of its frame; nil when it is not whole, or not of this key.
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
