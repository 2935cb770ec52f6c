import Glibc
import Synchronization

/// Conversion of bytes to and from hexadecimal digits.
package enum Hexadecimal {
    /// Encodes each byte as two lower-case digits.
    package static func text(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            for (index, byte) in bytes.enumerated() {
                text[2 * index] = digit(byte >> 4)
                text[2 * index + 1] = digit(byte & 15)
            }
            return 2 * bytes.count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// Parses pairs of hexadecimal digits in upper or lower case; nil for any other text.
    package static func bytes(_ text: String) -> [UInt8]? {
        let values = text.utf8.compactMap(value)
        guard values.count == text.utf8.count, values.count % 2 == 0 else { return nil }
        // bounded: the count is even
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }

    /// Returns the value of a digit in upper or lower case; nil for any other character.
    package static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension Hexadecimal {
    /// Random bytes for several IDs; `unused` bytes at the start have not been used.
    ///
    /// A system call for each ID would take longer than all other work for the ID.
    private struct Reserve {
        // bounded: a constant
        var bytes = [UInt8](repeating: 0, count: maxReserved)
        var unused = 0
    }

    private static let reserve = Mutex(Reserve())

    /// The maximum size of a request to `getentropy`.
    private static let maxReserved = 256

    /// Returns random hexadecimal digits, two for each of `count` bytes (at most 256).
    ///
    /// They are never all 0.
    package static func random(bytes count: Int) -> String {
        let bytes = reserve.withLock { reserve in
            if reserve.unused < count {
                let status = getentropy(&reserve.bytes, maxReserved)
                // bounded: a failure of the system, not of input
                precondition(status == 0, "the system did not return random bytes")
                reserve.unused = maxReserved
            }
            reserve.unused -= count
            // bounded: at most the remaining bytes
            return Array(reserve.bytes[reserve.unused..<reserve.unused + count])
        }
        return bytes.allSatisfy { $0 == 0 } ? random(bytes: count) : text(bytes)
    }
}
