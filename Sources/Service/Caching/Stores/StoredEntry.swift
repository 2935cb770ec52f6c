import Cryptography

/// A value in the file format of a result store.
///
/// The format consists of a mark with the format version, a SHA-256 of everything after it, two times and three lengths
/// (little-endian), the key, the labels separated by line ends, and the value. The digest detects truncated, changed
/// and foreign bytes, so a file that a crash has left incomplete is never served. It protects only against accidents.
package struct StoredEntry: Hashable, Sendable {
    /// The time before the value's sources were read, in seconds since 1970.
    package var began: Int
    /// The end of the value's lifetime, in seconds since 1970.
    package var end: Int
    package var key: StoredKey
    package var value: [UInt8]

    private static let mark = Array("HRS1".utf8)
    private static let bodyStart = mark.count + SHA256.byteCount
    /// The size of the numbers: two times of 8 bytes, two lengths of 4 bytes, and one length of 8 bytes.
    private static let numberBytes = 32
    private static let minBytes = bodyStart + numberBytes

    /// The maximum total length of the key and the labels, in bytes.
    package static let maxKeyBytes = 4096

    /// The maximum size of an entry in addition to its value, in bytes.
    package static let maxOverhead = minBytes + maxKeyBytes

    /// The maximum lifetime of a value in seconds, which is a year.
    package static let maxLifetime = 366 * 86_400

    /// The maximum accepted difference between the clocks of two processes, in seconds.
    package static let maxClockDifference = 60

    /// Creates an entry that has not been encoded.
    package init(_ value: [UInt8], for key: StoredKey, began: Int, end: Int) {
        self.began = began
        self.end = end
        self.key = key
        self.value = value
    }

    /// The encoded entry; nil if the key and its labels are too long.
    package var encoded: [UInt8]? {
        let (key, labels) = (Array(key.text.utf8), Array(key.labels.joined(separator: "\n").utf8))
        guard key.count + labels.count <= Self.maxKeyBytes else { return nil }
        var bytes = Self.mark + [UInt8](repeating: 0, count: SHA256.byteCount)
        bytes.reserveCapacity(Self.minBytes + key.count + labels.count + value.count)
        for number in [began, end] { Self.append(Int64(number), to: &bytes) }
        for part in [key, labels] { Self.append(UInt32(part.count), to: &bytes) }
        Self.append(UInt64(value.count), to: &bytes)
        bytes += key
        bytes += labels
        bytes += value
        bytes.replaceSubrange(Self.mark.count..<Self.bodyStart, with: Self.digest(of: bytes))
        return bytes
    }

    /// Decodes an entry; nil if its bytes are truncated, changed or foreign, or if it belongs to another key.
    ///
    /// - Parameters:
    ///   - bytes: All bytes of the entry.
    ///   - key: The expected key. Its labels may differ from the labels in the entry.
    package init?(_ bytes: [UInt8], for key: StoredKey) {
        guard let head = Head(bytes), head.count == bytes.count, head.key.text == key.text,
            bytes[Self.mark.count..<Self.bodyStart].elementsEqual(Self.digest(of: bytes))
        else { return nil }
        (began, end, self.key) = (head.began, head.end, head.key)
        value = Array(bytes[head.valueStart...])
    }

    /// Computes the digest of all bytes after the digest.
    private static func digest(of bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { SHA256.digest(of: UnsafeRawBufferPointer(rebasing: $0[bodyStart...])) }
    }

    /// Whether the entry may be served at a given time.
    ///
    /// It must not have expired, and its times must be plausible.
    package func isCurrent(at now: Int) -> Bool { Self.isCurrent(began: began, end: end, at: now) }

    fileprivate static func isCurrent(began: Int, end: Int, at now: Int) -> Bool {
        now < end && began <= now + maxClockDifference && end - now <= maxLifetime + maxClockDifference
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// The part of an entry before the value.
    ///
    /// It is read without checking the digest, so it may be used only to decide whether to remove the entry.
    package struct Head: Sendable {
        package let began: Int
        package let end: Int
        package let key: StoredKey
        fileprivate let valueStart: Int
        /// The length of the whole entry.
        fileprivate let count: Int

        /// Parses the first bytes of an entry: at least ``StoredEntry/maxOverhead`` bytes, or the whole entry.
        ///
        /// Nil for other bytes.
        package init?(_ bytes: [UInt8]) {
            guard bytes.count >= minBytes, bytes.starts(with: mark) else { return nil }
            func number(_ offset: Int, _ count: Int) -> UInt64 {
                bytes[bodyStart + offset..<bodyStart + offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
            }
            let (keyCount, labelCount) = (Int(number(16, 4)), Int(number(20, 4)))
            guard keyCount + labelCount <= maxKeyBytes, minBytes + keyCount + labelCount <= bytes.count,
                let valueCount = Int(exactly: number(24, 8)), valueCount <= 1 << 40,
                let began = Int(exactly: Int64(bitPattern: number(0, 8))), 0...1 << 40 ~= began,
                let end = Int(exactly: Int64(bitPattern: number(8, 8))), 0...1 << 40 ~= end,
                let text = String(validating: bytes[minBytes..<minBytes + keyCount], as: UTF8.self),
                let labels = String(
                    validating: bytes[minBytes + keyCount..<minBytes + keyCount + labelCount],
                    as: UTF8.self
                )
            else { return nil }
            (self.began, self.end) = (began, end)
            // Split by bytes, because a Swift character may contain a line end.
            key = StoredKey(text, labels: labels.utf8.split(separator: 0x0A).map { String($0) ?? "" })
            valueStart = minBytes + keyCount + labelCount
            count = valueStart + valueCount
        }

        /// Whether the entry has not expired at a given time, and its times are plausible.
        package func isCurrent(at now: Int) -> Bool { StoredEntry.isCurrent(began: began, end: end, at: now) }
    }
}
