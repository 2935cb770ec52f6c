@testable import Batch

extension Fuzzer {
    /// Tar archives.
    ///
    /// Invariants: the contents of members are inside the archive, and members that are written again are equal.
    static let tar = Fuzzer(name: "tar", maxLength: 1 << 14) {
        let image = member("a/b.jpg", [1, 2, 3])
        return [
            image + member("a/b.json", [4]) + member("c.png", [UInt8](repeating: 5, count: 600)) + TarWriter.end,
            member("PaxHeader", Array("19 path=some/x.jpg\n18 size=3         \n".utf8), type: "x") + image,
            member("././@LongLink", Array("long/name.webp\0".utf8), type: "L") + image,
            TarWriter.header(String(repeating: "n", count: 140) + ".gif", size: 2) + [1, 2] + TarWriter.padding(2),
            member("l.jpg", type: "2") + member("s.jpg", [6], type: "S") + member("d", type: "5") + image,
        ].map { [1] + $0 }
    } run: { input in
        // If the first byte is odd, checksums are corrected, because mutated headers rarely have a valid checksum.
        var bytes = Array(input.dropFirst())
        if input.first.map({ $0 & 1 == 1 }) ?? false { repair(&bytes) }
        var reader = TarMembers(FuzzedFile.with(bytes), length: bytes.count)
        var (written, members) = ([UInt8](), [ArchiveMember]())
        while let found = try? reader.next() {
            guard case .member(let member) = found else { continue }
            precondition(member.range.upperBound <= bytes.count, "a member beyond the end")
            members.append(member)
            written += TarWriter.header(member.name, size: member.range.count) + bytes[member.range]
            written += TarWriter.padding(member.range.count)
        }
        let rows = FuzzedFile.with(bytes)
        guard let rows = try? TarReader(rows) else { preconditionFailure("a regular file is refused") }
        _ = FuzzedFile.rows(rows, maximum: 3 * (bytes.count / TarHeader.blockBytes + 2), areNumbered: false)
        // An empty name or a name with a NUL cannot be written.
        guard members.allSatisfy({ !$0.name.isEmpty && !$0.name.contains("\0") }) else { return }
        var again = TarMembers(FuzzedFile.with(written), length: written.count)
        for member in members {
            guard case .member(let same)? = try? again.next() else { preconditionFailure("a written member is lost") }
            precondition(same.name == member.name, "\(member.name) is written as \(same.name)")
            precondition(written[same.range] == bytes[member.range], "\(member.name) has another content")
        }
    }

    private static func repair(_ bytes: inout [UInt8]) {
        for start in stride(from: 0, to: bytes.count - TarHeader.blockBytes + 1, by: TarHeader.blockBytes) {
            var block = Array(bytes[start..<(start + TarHeader.blockBytes)])
            guard block[257..<262].elementsEqual("ustar".utf8) else { continue }
            let digits = String(TarHeader.checksum(block), radix: 8)
            let field = String(repeating: "0", count: 6 - digits.count) + digits + "\0 "
            block.replaceSubrange(148..<156, with: Array(field.utf8))
            bytes.replaceSubrange(start..<(start + TarHeader.blockBytes), with: block)
        }
    }

    private static func member(_ name: String, _ content: [UInt8] = [], type: Character = "0") -> [UInt8] {
        var block = TarWriter.header(name, size: content.count)
        block[156] = type.asciiValue ?? 0
        repair(&block)
        return block + content + TarWriter.padding(content.count)
    }
}
