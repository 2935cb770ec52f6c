import Encodings
import Glibc

/// The build ID that the linker writes into this executable: a digest of its content (NT_GNU_BUILD_ID, elf(5)).
///
/// Two builds of one version have different IDs if their code differs, so the ID is part of the keys in Redis.
package enum BuildIdentifier {
    /// The first 16 hexadecimal digits; `unknown` without a build ID.
    package static let current = read("/proc/self/exe") ?? "unknown"

    private static let byteCount = 8
    private static let noteType = 3
    private static let owner = Array("GNU\0".utf8)
    /// PT_NOTE.
    private static let segmentType = 4
    /// The maximum number of bytes that are read from a notes segment.
    private static let maxBytes = 4096

    /// Reads the identifier of a 64-bit ELF file.
    private static func read(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let header = bytes(file, at: 0, count: 64)
        guard header.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2]) else { return nil }
        let (start, size, count) = (number(header, 32, 8), number(header, 54, 2), number(header, 56, 2))
        guard let start, let size, let count, size >= 56 else { return nil }
        // bounded: the index of a program header, which is not negative
        for index in 0..<count {
            let segment = bytes(file, at: start &+ index &* size, count: 56)
            guard number(segment, 0, 4) == segmentType, let offset = number(segment, 8, 8),
                let length = number(segment, 32, 8)
            else { continue }
            if let found = identifier(in: bytes(file, at: offset, count: min(length, maxBytes))) { return found }
        }
        return nil
    }

    /// Finds the identifier among notes.
    ///
    /// Each note consists of the lengths of its owner and its content, its type, the owner and the content. Owner and
    /// content are padded to four bytes.
    private static func identifier(in notes: [UInt8]) -> String? {
        var start = 0
        while let name = number(notes, start, 4), let content = number(notes, start + 4, 4),
            let type = number(notes, start + 8, 4)
        {
            let begin = start + 12 + padded(name)
            guard begin + content <= notes.count else { return nil }
            // bounded: the note is inside the segment
            if type == noteType, content >= byteCount, notes[(start + 12)..<(start + 12 + name)].elementsEqual(owner) {
                // bounded: the note is inside the segment
                return Hexadecimal.text(Array(notes[begin..<begin + byteCount]))
            }
            start = begin + padded(content)
        }
        return nil
    }

    private static func padded(_ count: Int) -> Int { (count + 3) & ~3 }

    /// Reads a little-endian number of at most eight bytes; nil beyond the end, and for a negative number.
    private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int? {
        guard offset >= 0, offset + count <= bytes.count else { return nil }
        // bounded: the offset is inside the bytes
        let value = bytes[offset..<offset + count].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value)
    }

    private static func bytes(_ file: Int32, at offset: Int, count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, count))
        let read = pread(file, &bytes, bytes.count, off_t(offset))
        return Array(bytes.prefix(max(0, read)))
    }
}
