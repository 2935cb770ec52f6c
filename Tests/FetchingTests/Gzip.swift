/// The part of gzip (RFC 1952) that test origins need.
enum Gzip {
    private static let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

    /// A valid gzip stream of up to 65535 bytes, stored without compression.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let length = UInt16(bytes.count)
        return head + [1] + littleEndian(length) + littleEndian(~length) + bytes
            + littleEndian(checksum(bytes)) + littleEndian(UInt32(bytes.count))
    }

    /// A gzip stream with 13 bits per run and without a valid checksum, which decompresses to 1 + 258 × `runs` zeros.
    static func bomb(runs: Int) -> [UInt8] {
        var bits = BitWriter()
        // The last block, with fixed Huffman codes (RFC 1951 §3.2.6).
        bits.append("110")
        bits.append("00110000")
        for _ in 0..<runs {
            // Length 258 at distance 1.
            bits.append("1100010100000")
        }
        bits.append("0000000")
        return head + bits.bytes + [UInt8](repeating: 0, count: 8)
    }

    private struct BitWriter {
        var bytes: [UInt8] = []
        private var used = 8

        mutating func append(_ bits: String) {
            for bit in bits.utf8 {
                if used == 8 {
                    bytes.append(0)
                    used = 0
                }
                bytes[bytes.count - 1] |= (bit & 1) << UInt8(used)
                used += 1
            }
        }
    }

    private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
    }
}
