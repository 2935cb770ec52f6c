import Batch
import Imaging
import TestPacing
import TestImages
import Testing

/// Members that are copied together with redacted images.
///
/// The bytes of a member determine whether it is copied, not its name.
@Suite(.limitedConcurrency) struct RedactedArchiveTests {
    private static func image() throws -> [UInt8] {
        try DrawnImage(width: 64, height: 32, faces: [DrawnFace(x: 2, y: 2, side: 12)]).png()
    }

    /// Members that are images, videos or archives under misleading names.
    private static let hidden: [(name: String, bytes: [UInt8])] = [
        ("a.thm", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16]), ("a.mpo", [0xFF, 0xD8, 0xFF, 0xE1, 0, 16]),
        ("a.orig", Array("RIFF\u{8}\u{0}\u{0}\u{0}WEBPVP8 ".utf8)),
        ("a.bak", Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80]),
        ("a.txt", [0, 0, 0, 24] + Array("ftypisom".utf8)), ("a.json", [0x1A, 0x45, 0xDF, 0xA3]),
        ("a.cls", Array("8BPS\u{0}\u{1}".utf8)), ("a.dat", [0x49, 0x49, 0x2A, 0]),
        ("a.raw", [0x93] + Array("NUMPY".utf8)),
        ("a.xml", Array("\u{FEFF}<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)),
        ("a.cap", Array("P3\n1 1\n255\n1 2 3\n".utf8)), ("a.eps", Array("%!PS-Adobe-3.0 EPSF-3.0\n".utf8)),
        ("a.tar", TestArchive.member("b.jpg", [0xFF, 0xD8, 0xFF])), ("a.zip", Array("PK\u{3}\u{4}".utf8)),
        ("a.log", Array("text".utf8) + [UInt8](repeating: 0x20, count: 70_000) + [0xFF, 0xD8, 0xFF]),
    ]

    private static let texts: [(name: String, bytes: [UInt8])] = [
        ("a.caption", Array("Two people, \u{E9}t\u{E9} \u{1F600}\r\n".utf8)), ("a.label", Array("17".utf8)),
        ("a.empty", []), ("a.meta", Array(#"{"a": [1, 2], "b": "<b>"}"#.utf8)),
    ]

    private func run(
        _ parameters: [(String, String)]
    ) async throws -> (rows: [String], leftOut: [String], tally: BatchTally) {
        let test = try TestRun()
        let members = [("a.png", try Self.image())] + Self.hidden + Self.texts
        let archive = members.flatMap { TestArchive.member($0.0, $0.1) } + TestArchive.end
        let input = try test.folder.write(archive, to: "in.tar")
        var configuration = test.configuration(parameters)
        configuration.target = .archive(test.folder.place("out.tar"))
        configuration.results = test.folder.place("results.jsonl")
        let (end, tally) = try await test.run(configuration, [input])
        #expect(end == .complete && tally.done == 1)
        let line = try #require(try ResultsFile(test.folder, "results.jsonl").lines.first)
        let rows = try Rows.of([test.folder.place("out.tar")], in: test.folder)
        return (rows, line["skippedMembers"] as? [String] ?? [], tally)
    }

    @Test func `with redacted images, only text members are copied, and other members are listed`() async throws {
        let (rows, leftOut, tally) = try await run([("aspect", "1:1"), ("redact", "fill")])
        #expect(rows == ["a<out.tar:a.png+\(Self.texts.map(\.name).joined(separator: ","))"])
        #expect(leftOut == Self.hidden.map(\.name) && tally.leftOut == Self.hidden.count)
    }

    @Test func `redacted areas without faces also count as redaction`() async throws {
        let areas = [("redact", "fill"), ("redactFaces", "none"), ("redactAreas", "0,0,0.5,0.5")]
        #expect(try await run([("aspect", "1:1")] + areas).leftOut == Self.hidden.map(\.name))
    }

    @Test func `without redaction all members are copied`() async throws {
        let (rows, leftOut, _) = try await run([("aspect", "1:1")])
        let all = (Self.hidden + Self.texts).map(\.name).joined(separator: ",")
        #expect(rows == ["a<out.tar:a.png+\(all)"] && leftOut.isEmpty)
    }
}
