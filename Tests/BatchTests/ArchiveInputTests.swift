import Batch
import TestPacing
import Testing

@Suite struct ArchiveInputTests {
    private typealias Tar = TestArchive

    private func rows(_ parts: [[UInt8]]) throws -> [String] { try Rows.of(parts.flatMap(\.self), named: "s.tar") }

    @Test func `adjacent members with equal keys belong together`() throws {
        let rows = try rows([
            Tar.member("d/", type: "5"), Tar.member("d/a.json", [1]), Tar.member("d/a.jpg", [2]),
            Tar.member("d/a.cls", [3]), Tar.member("b.x.png", [4]), Tar.member("b.left.jpg", [5]),
            Tar.member("c.txt", [6]), Tar.member("e.JPG", [7]), Tar.end, Tar.member("behind.jpg"),
        ])
        #expect(
            rows == [
                "d/a<s.tar:d/a.jpg+d/a.json,d/a.cls", "b.x<s.tar:b.x.png", "b.left<s.tar:b.left.jpg",
                "!invalid-row@4", "e<s.tar:e.JPG",
            ]
        )
    }

    @Test func `long names and large sizes in GNU and POSIX archives are supported`() throws {
        let long = String(repeating: "n", count: 150)
        let record = "path=\(long).jpg\n"
        let rows = try rows([
            Tar.member("././@LongLink", Array("\(long).png\u{0}".utf8), type: "L", magic: "ustar  \u{0}"),
            Tar.member("short.png", [1], magic: "ustar  \u{0}"),
            Tar.pax("\(record.utf8.count + 4) \(record)"), Tar.member("short.jpg", [2]),
            Tar.pax("9 size=3\n"), Tar.member("p.jpg", [1, 2, 3], size: "00000000000"),
            Tar.member("q.jpg", [1], prefix: "deep/er"), Tar.memberInBase256("r.jpg", [1, 2]),
            Tar.member("v7.jpg", [1], type: "\u{0}", magic: ""), Tar.pax("11 mtime=1\n") + Tar.member("t.jpg", [1]),
            Tar.member("global", Array("9 path=x\n".utf8), type: "g"), Tar.member("u.jpg"),
        ])
        #expect(
            rows == [
                "\(long)<s.tar:\(long).png", "\(long)<s.tar:\(long).jpg", "p<s.tar:p.jpg",
                "deep/er/q<s.tar:deep/er/q.jpg", "r<s.tar:r.jpg", "v7<s.tar:v7.jpg", "t<s.tar:t.jpg", "u<s.tar:u.jpg",
            ]
        )
    }

    @Test(arguments: HostileText.allCases)
    func `the time for keywords and values is proportional to their length`(kind: HostileText) throws {
        var found: [String] = []
        let isProportional = try isLinear(upTo: 200_000) { count in
            let records = ["\(kind.text(count))=1\n", "comment=\(kind.text(count))\n"].map { text in
                // The length includes its own digits.
                let length = (1...6).map { text.utf8.count + 1 + $0 }.first {
                    "\($0)".count + 1 + text.utf8.count == $0
                }
                return "\(length ?? 0) \(text)"
            }
            found = try rows([Tar.pax(records.joined() + "14 path=b.jpg\n"), Tar.member("a.jpg", [1])])
        }
        #expect(isProportional && found == ["b<s.tar:b.jpg"])
    }

    @Test func `members with paths or links out of the archive are errors or invalid keys`() throws {
        let rows = try rows([
            Tar.member("/etc/a.jpg", [1]), Tar.member("../b.jpg", [1]), Tar.member("l.jpg", type: "2"),
            Tar.member("h.jpg", type: "1"), Tar.member("s.jpg", [1], type: "S"),
            Tar.pax("22 GNU.sparse.major=1\n"), Tar.member("t.jpg", [1]), Tar.member("ok.jpg", [1]),
        ])
        #expect(
            rows == [
                "/etc/a<s.tar:/etc/a.jpg", "../b<s.tar:../b.jpg", "!invalid-row@3", "!invalid-row@4",
                "!invalid-row@5", "!invalid-row@6", "ok<s.tar:ok.jpg",
            ]
        )
        #expect(RelativePath.problem("/etc/a") != nil)
    }

    @Test func `a damaged archive yields the members before the damage and one error`() throws {
        let good = Tar.member("a.jpg", [1])
        let damages: [[UInt8]] = [
            Tar.member("b.jpg", [1], breaksChecksum: true), Tar.member("b.jpg", [1], size: "77777777777"),
            Tar.member("b.jpg", [1], size: "zzz"), [UInt8](repeating: 7, count: 100),
            Tar.memberInBase256("b.jpg", [], size: [UInt8](repeating: 0xFF, count: 12)),
            Tar.memberInBase256("b.jpg", [], size: [0x80] + [UInt8](repeating: 0x7F, count: 11)),
            Tar.pax("999 path=a\n"), Tar.pax("x path=a\n"), Tar.pax("3 a"), Tar.pax("0 a=b\n"),
            Array(Tar.member("b.jpg", [UInt8](repeating: 1, count: 600)).dropLast(600)),
        ]
        for damage in damages {
            #expect(try rows([good, damage]) == ["a<s.tar:a.jpg", "!invalid-row@2"])
        }
    }

    @Test func `every truncated archive is read to an end`() throws {
        let whole =
            Tar.pax("19 path=some/x.jpg\n") + Tar.member("a.jpg", [1, 2, 3]) + Tar.member("b.json", [1]) + Tar.end
        for length in stride(from: 0, to: whole.count, by: 61) {
            #expect(try Rows.of(Array(whole.prefix(length)), named: "s.tar").count <= 3)
        }
    }
}
