/// Headers and padding of the tar archives that are written: ustar, with a pax header for long names and large files.
enum TarWriter {
    /// The end of an archive.
    static let end = [UInt8](repeating: 0, count: 2 * TarHeader.blockBytes)

    /// The header of a file; its owner, time and mode are fixed, so that equal results give equal archives.
    static func header(_ name: String, size: Int) -> [UInt8] {
        guard name.utf8.count > 100 || size >= 1 << 33 else { return ustar(name, size: size, type: "0") }
        let records = record("path", name) + record("size", "\(size)")
        let short = String(decoding: name.utf8.prefix(99).map { $0 < 0x80 ? $0 : 0x5F }, as: UTF8.self)
        return ustar("PaxHeader", size: records.count, type: "x") + records + padding(records.count)
            + ustar(short, size: min(size, (1 << 33) - 1), type: "0")
    }

    /// The zeros behind a content.
    static func padding(_ size: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: (TarHeader.blockBytes - size % TarHeader.blockBytes) % TarHeader.blockBytes)
    }

    private static func record(_ keyword: String, _ value: String) -> [UInt8] {
        // The length counts its own digits.
        let rest = keyword.utf8.count + value.utf8.count + 3
        var length = rest
        while length != rest + "\(length)".utf8.count { length = rest + "\(length)".utf8.count }
        return Array("\(length) \(keyword)=\(value)\n".utf8)
    }

    private static func ustar(_ name: String, size: Int, type: Character) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: TarHeader.blockBytes)
        func put(_ text: String, at offset: Int) {
            for (index, byte) in text.utf8.enumerated() { block[offset + index] = byte }
        }
        func octal(_ number: Int, _ digits: Int) -> String {
            let text = String(number, radix: 8)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        put(name, at: 0)
        put("0000644", at: 100)
        put("0000000", at: 108)
        put("0000000", at: 116)
        put(octal(size, 11), at: 124)
        put(octal(0, 11), at: 136)
        put("\(type)", at: 156)
        put("ustar\u{0}00", at: 257)
        put(octal(TarHeader.checksum(block), 6) + "\u{0} ", at: 148)
        return block
    }
}
