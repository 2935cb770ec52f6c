/// Strictly reads ZIP files with stored entries, independently of the code that writes them.
package struct ZIPReader {
    /// A file in the archive.
    package struct Entry: Hashable, Sendable {
        /// The path of the file.
        package var name: String
        /// The bytes of the file.
        package var content: [UInt8]

        /// An expected file.
        package init(name: String, content: [UInt8]) {
            self.name = name
            self.content = content
        }
    }

    /// The error and its position.
    package struct Failure: Error {
        /// The violated rule.
        package var rule: String
        /// The offset from the beginning, in bytes.
        package var offset: Int
    }

    /// The files, in the order of the directory.
    package private(set) var entries: [Entry] = []

    private let file: [UInt8]

    /// Reads all entries.
    ///
    /// - Throws: A ``Failure`` unless all offsets, lengths and checksums are correct and no byte is left over.
    package init(_ file: [UInt8]) throws {
        self.file = file
        let end = file.count - 22
        try require(end >= 0 && number(end, 4) == 0x0605_4B50, "the end record comes last", at: end)
        let count = number(end + 10, 2)
        let directory = number(end + 16, 4)
        try require(number(end + 8, 2) == count, "all entries are on this disk", at: end)
        try require(directory + number(end + 12, 4) == end, "the directory ends at the end record", at: directory)
        var (central, local) = (directory, 0)
        for _ in 0..<count {
            try require(number(central, 4) == 0x0201_4B50, "a directory entry", at: central)
            try require(number(central + 42, 4) == local, "entries follow each other", at: central)
            (central, local) = try readEntry(central, local)
        }
        try require(central == end && local == directory, "nothing is left over", at: local)
    }

    private mutating func readEntry(_ central: Int, _ local: Int) throws -> (central: Int, local: Int) {
        try require(number(local, 4) == 0x0403_4B50, "a local header", at: local)
        let shared = file[(local + 4)..<(local + 30)]
        try require(Array(shared) == Array(file[(central + 6)..<(central + 32)]), "both headers agree", at: local)
        try require(number(local + 8, 2) == 0 && number(local + 28, 2) == 0, "stored, without extras", at: local)
        let nameEnd = local + 30 + number(local + 26, 2)
        let name = file[(local + 30)..<nameEnd]
        try require(file[(central + 46)...].starts(with: name), "both names agree", at: central)
        let end = nameEnd + number(local + 22, 4)
        try require(number(local + 18, 4) == number(local + 22, 4) && end <= file.count, "a size", at: local)
        let content = Array(file[nameEnd..<end])
        try require(number(local + 14, 4) == Int(Self.checksum(content)), "the checksum is right", at: local)
        entries.append(Entry(name: String(decoding: name, as: UTF8.self), content: content))
        return (central + 46 + name.count, end)
    }

    /// The content of a file; nil if the archive has no such file.
    package subscript(name: String) -> [UInt8]? { entries.first { $0.name == name }?.content }

    /// A little-endian unsigned number; -1 beyond the end.
    private func number(_ offset: Int, _ length: Int) -> Int {
        guard offset >= 0, offset + length <= file.count else { return -1 }
        return file[offset..<(offset + length)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private func require(_ holds: Bool, _ rule: String, at offset: Int) throws {
        if !holds { throw Failure(rule: rule, offset: offset) }
    }

    /// CRC-32 as in PNG and ZIP, computed bit by bit.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF as UInt32) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }
}
