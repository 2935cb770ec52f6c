/// Builds tar archives byte by byte, including invalid ones.
enum TestArchive {
    /// A member with its header and padding.
    static func member(
        _ name: String,
        _ content: [UInt8] = [],
        type: Character = "0",
        size: String? = nil,
        magic: String = "ustar\u{0}00",
        prefix: String = "",
        breaksChecksum: Bool = false
    ) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: 512)
        func put(_ text: String, at offset: Int) {
            for (index, byte) in text.utf8.enumerated() { block[offset + index] = byte }
        }
        put(name, at: 0)
        put("0000644", at: 100)
        put(size ?? octal(content.count, digits: 11), at: 124)
        put("\(type)", at: 156)
        put(magic, at: 257)
        put(prefix, at: 345)
        put("        ", at: 148)
        let sum = block.reduce(0) { $0 + Int($1) } + (breaksChecksum ? 1 : 0)
        put(octal(sum, digits: 6) + "\u{0} ", at: 148)
        return block + content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
    }

    /// Two blocks of zeros.
    static let end = [UInt8](repeating: 0, count: 1024)

    /// A header with a size in base-256 notation.
    static func memberInBase256(_ name: String, _ content: [UInt8], size: [UInt8]? = nil) -> [UInt8] {
        var bytes = member(name, content)
        let field = size ?? [0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(content.count >> 8), UInt8(content.count & 255)]
        bytes.replaceSubrange(124..<136, with: field)
        bytes.replaceSubrange(148..<156, with: Array("        ".utf8))
        let sum = bytes[..<512].reduce(0) { $0 + Int($1) }
        bytes.replaceSubrange(148..<156, with: Array("\(octal(sum, digits: 6))\u{0} ".utf8))
        return bytes
    }

    /// A pax header.
    static func pax(_ records: String) -> [UInt8] { member("PaxHeader", Array(records.utf8), type: "x") }

    private static func octal(_ number: Int, digits: Int) -> String {
        let text = String(number, radix: 8)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
