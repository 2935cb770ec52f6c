import Batch
import TestPacing
import TestImages
import Testing

/// Untrusted rows.
///
/// Each invalid row must be a separate error, and the run must continue.
@Suite(.limitedConcurrency) struct HostileRowTests {
    /// A JSON Lines row with the kind of its error; nil for success.
    private static let rows: [(row: String, error: String?)] = [
        (#"{"file": "ok.png", "key": "first"}"#, nil),
        // Nulls.
        ("null", "invalid-row"), (#"{"file": null}"#, "invalid-row"), (#"{"file": null, "url": null}"#, "invalid-row"),
        (#"{"file": "ok.png", "key": "null key", "width": null, "aspect": null}"#, nil),
        (#"{"file": "ok.png", "key": null, "width": 1}"#, nil),
        // Unknown, duplicate and unnamed columns.
        (#"{"file": "ok.png", "key": "a", "surprise": "x"}"#, "invalid-parameter"),
        (#"{"file": "ok.png", "key": "b", "__proto__": "x"}"#, "invalid-parameter"),
        (#"{"file": "ok.png", "key": "c", "": "x"}"#, "invalid-parameter"),
        (#"{"file": "ok.png", "key": "d", "width": 9, "width": 10}"#, "invalid-parameter"),
        (#"{"file": "ok.png", "key": "e", "file": "ok.png"}"#, "invalid-row"),
        (#"{"file": ["ok.png"], "key": "f"}"#, "invalid-row"), (#"[[[[[[[[[[]]]]]]]]]]"#, "invalid-row"),
        // Numbers.
        (#"{"file": "ok.png", "key": "g", "width": 1e308}"#, "invalid-parameter"),
        (#"{"file": "ok.png", "key": "h", "width": -1}"#, "invalid-parameter"),
        (#"{"file": "ok.png", "key": "i", "width": "nan"}"#, "invalid-parameter"),
        (#"{"file": "ok.png", "key": "j", "offset": 999999999999, "bytes": 999999999999}"#, "source-not-found"),
        (#"{"file": "ok.png", "key": "k", "offset": 99999999999999999999, "bytes": 1}"#, "invalid-row"),
        (#"{"file": "ok.png", "key": "l", "offset": 0, "bytes": 0}"#, "unsupported-image"),
        // Keys and paths.
        (#"{"file": "ok.png", "key": "../up"}"#, "invalid-key"),
        (#"{"file": "ok.png", "key": "/etc/x"}"#, "invalid-key"),
        (#"{"file": "ok.png", "key": ""}"#, "invalid-key"), (#"{"file": "ok.png", "key": "a\u0000b"}"#, "invalid-key"),
        (#"{"file": "ok.png", "key": "first"}"#, "duplicate-key"), (#"{"file": "ok.png", "key": "results"}"#, nil),
        (#"{"file": "/dev/zero", "key": "m"}"#, "source-not-found"),
        (#"{"file": ".", "key": "n"}"#, "source-not-found"),
        (#"{"file": "absent.png", "key": "o"}"#, "source-not-found"),
        (#"{"url": "http://169.254.169.254/", "key": "p"}"#, "source-not-found"),
        (#"{"url": "file:///etc/passwd", "key": "q"}"#, "invalid-parameter"),
        (#"{"url": "s3://bucket/a.png", "key": "r"}"#, "invalid-parameter"),
        // Images.
        (#"{"file": "bomb.png", "key": "s"}"#, "too-large"), (#"{"file": "cut.png", "key": "t"}"#, "unreadable-image"),
        (#"{"file": "empty.png", "key": "u"}"#, "unsupported-image"),
        (#"{"file": "text.png", "key": "v"}"#, "unsupported-image"),
        (#"{"file": "ok.png", "key": "last"}"#, nil),
    ]

    @Test func `each hostile row is a separate error`() async throws {
        let test = try TestRun()
        let image = try DrawnImage(width: 64, height: 32).png()
        // 2^20×2^20 pixels.
        let header = OddPNG.chunk("IHDR", OddPNG.numbers([1 << 20, 1 << 20]) + [8, 2, 0, 0, 0])
        let bomb =
            Array(image.prefix(8)) + header + OddPNG.chunk("IDAT", OddPNG.zlib([0])) + OddPNG.chunk("IEND", [])
        for (name, bytes) in [
            ("ok.png", image), ("bomb.png", bomb), ("cut.png", Array(image.prefix(image.count / 2))),
            ("empty.png", []),
            ("text.png", Array("<html>".utf8)),
        ] {
            try test.folder.write(bytes, to: "in/\(name)")
        }
        let text = Self.rows.map { row, _ in
            row.replacing(#""file": ""#, with: #""file": "\#(test.folder.place("in"))/"#)
                .replacing("\(test.folder.place("in"))//", with: "/")
        }
        // A line that exceeds the maximum length of a row, among the other rows.
        let long = String(repeating: "x", count: RowLimits.maxBytes + 1)
        let list = try test.folder.write(
            (text + [#"{"file": "\#(long)"}"#, ""]).joined(separator: "\n"),
            to: "rows.jsonl"
        )
        var configuration = test.configuration()
        configuration.failureLimit = .percent(100)
        let (end, tally) = try await test.run(configuration, [list])
        #expect(end == .complete)
        let lines = try ResultsFile(test.folder).lines
        let errors = lines.map { ($0["error"] as? [String: Any])?["type"] as? String }
        let expected = Self.rows.map(\.error) + ["invalid-row"]
        #expect(errors.count == expected.count)
        for (index, row) in Self.rows.enumerated() where index < errors.count {
            #expect(errors[index] == row.error, "\(row.row)")
        }
        #expect(tally.done == expected.count { $0 == nil } && tally.failed == expected.count { $0 != nil })
        // The output folder contains only outputs, and nothing was written next to it.
        let names = try test.folder.files(below: "out").keys.sorted()
        #expect(names == ["first.png", "last.png", "null key.png", "results.jsonl", "results.png"] + ownKey(names))
    }

    /// The output for the row without a key, which is named after its path.
    private func ownKey(_ names: [String]) -> [String] { names.filter { $0.hasSuffix("/in/ok.png") } }
}
