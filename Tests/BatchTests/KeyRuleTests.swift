import Batch
import TestPacing
import Testing

/// Files with equal stems.
///
/// The message must contain both files and the option that resolves the conflict.
@Suite(.limitedConcurrency) struct KeyRuleTests {
    private func run(_ arguments: [String], draw names: [String], keys: KeyRule) async throws -> TestRun {
        let test = try TestRun()
        try test.draw(1)
        let image = try test.folder.read("in/0.png")
        for name in names { try test.folder.write(image, to: name) }
        var configuration = test.configuration([("aspect", "1:1"), ("format", "png")])
        configuration.failureLimit = .percent(100)
        try await test.run(configuration, arguments.map { test.folder.place($0) }, keys: keys)
        return test
    }

    @Test(arguments: [
        (["a"], ["a/x.jpg", "a/x.png"]), (["a", "b"], ["a/x.png", "b/x.png"]),
        (["a/x.png", "b/x.png"], ["a/x.png", "b/x.png"]),
    ])
    func `the message contains both files, and --keys path resolves the conflict`(
        inputs: [String],
        files: [String]
    ) async throws {
        let stems = try await run(inputs, draw: files, keys: .stem)
        let (first, second) = (stems.folder.place(files[0]), stems.folder.place(files[1]))
        let detail = try #require(try ResultsFile(stems.folder).details.first)
        #expect(detail.contains("The key x of \(second) is already used by \(first): use --keys path"), "\(detail)")
        let paths = try await run(inputs, draw: files, keys: .path)
        #expect(try ResultsFile(paths.folder).details == [])
        let results = try ResultsFile(paths.folder).keys
        #expect(results == files.map { String(paths.folder.place($0).dropFirst()) })
    }

    @Test(arguments: ["./a/x.png", "a//x.png", "./a/./x.png"])
    func `a file that is listed twice is processed once, and the message does not advise --keys path`(
        again: String
    ) async throws {
        let test = try TestRun()
        try test.draw(1)
        let image = try test.folder.read("in/0.png")
        try test.folder.write(image, to: "a/x.png")
        var configuration = test.configuration([("aspect", "1:1"), ("format", "png")])
        configuration.failureLimit = .percent(100)
        try await test.run(configuration, ["a/x.png", again].map { test.folder.place($0) }, keys: .path)
        let details = try ResultsFile(test.folder).details
        #expect(details.count == 1)
        let advice = "name each file once, or use a list with a column key."
        #expect(details.allSatisfy { $0.hasSuffix(advice) }, "\(details)")
    }

    @Test func `keys in lists come from the rows, and keys from URLs and members keep the extension`() throws {
        let lines = #"{"file": "./a/x.jpg", "key": "k"}"# + "\n" + #"{"url": "https://h/b/x.png"}"# + "\n"
        #expect(
            try Rows.of(Array(lines.utf8), named: "l.jsonl", keys: .path) == [
                "k<./a/x.jpg", "h/b/x.png<https://h/b/x.png",
            ]
        )
        let archive = TestArchive.member("d/a.jpg", [1]) + TestArchive.member("d/a.png", [1]) + TestArchive.end
        #expect(
            try Rows.of(archive, named: "s.tar", keys: .path) == ["d/a.jpg<s.tar:d/a.jpg", "d/a.png<s.tar:d/a.png"]
        )
    }

    @Test func `the time for a name with many upward segments is proportional to its length`() throws {
        let isProportional = try isLinear(upTo: 300_000) { count in
            let name = String(repeating: "../", count: count / 3) + "a.jpg"
            let archive =
                TestArchive.member("././@LongLink", Array(name.utf8) + [0], type: "L")
                + TestArchive.member("short.jpg", [1]) + TestArchive.end
            let rows = try Rows.of(archive, named: "s.tar", keys: .path)
            #expect(rows.count == 1 && rows.first?.utf8.starts(with: "a.jpg<s.tar:../".utf8) == true)
        }
        #expect(isProportional)
    }
}
