import HeadroomAPI
import TestImages
import Testing

@Suite struct ZIPArchiveTests {
    @Test func `an archive without entries consists of an end record`() throws {
        let bytes = ZIPArchive().bytes()
        #expect(bytes.count == 22)
        #expect(try ZIPReader(bytes).entries == [])
    }

    @Test func `entries are read back unchanged and in order`() throws {
        let entries: [ZIPReader.Entry] = [
            .init(name: "faces.json", content: Array("{}".utf8)),
            .init(name: "empty", content: []),
            .init(name: "folder/face-1.jpg", content: (0..<70_000).map { UInt8(truncatingIfNeeded: $0 * 7) }),
            .init(name: "größe.png", content: [0xFF, 0x50, 0x4B, 5, 6]),
        ]
        var archive = ZIPArchive()
        for entry in entries { try archive.add(entry.name, entry.content) }
        #expect(try ZIPReader(archive.bytes()).entries == entries)
    }

    @Test func `equal entries yield equal archives`() throws {
        func bytes() throws -> [UInt8] {
            var archive = ZIPArchive()
            try archive.add("a", [1, 2, 3])
            return archive.bytes()
        }
        #expect(try bytes() == bytes())
    }

    @Test func `the checksum is CRC-32`() throws {
        var archive = ZIPArchive()
        try archive.add("a", Array("123456789".utf8))
        // The check value of CRC-32/ISO-HDLC.
        #expect(archive.bytes()[14..<18] == [0x26, 0x39, 0xF4, 0xCB])
    }

    @Test func `an entry beyond the limits of ZIP is rejected, and the archive stays valid`() throws {
        var archive = ZIPArchive()
        try archive.add("a", [1])
        #expect(throws: ZIPArchive.Failure.nameTooLong) { try archive.add(String(repeating: "n", count: 65_536), []) }
        for index in 1..<65_535 { try archive.add("\(index)", []) }
        #expect(throws: ZIPArchive.Failure.full) { try archive.add("b", []) }
        let reader = try ZIPReader(archive.bytes())
        #expect(reader.entries.count == 65_535)
        #expect(reader["a"] == [1])
    }
}
