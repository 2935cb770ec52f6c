import Batch
import Foundation
import TestPacing
import Testing

/// A run whose journal was truncated at an arbitrary byte continues as if it had not been interrupted.
@Suite(.limitedConcurrency) struct BatchResumeTests {
    /// The lengths of the truncated journals.
    private static func cuts(_ length: Int) -> [Int] {
        Array(stride(from: 0, through: length, by: max(1, length / 23)))
    }

    @Test(arguments: BatchConfiguration.Order.allCases)
    func `files are the same wherever the journal was truncated`(order: BatchConfiguration.Order) async throws {
        let test = try TestRun()
        try test.draw(9)
        try test.folder.write("no image", to: "in/x.png")
        var configuration = test.configuration()
        configuration.order = order
        configuration.failureLimit = .percent(100)
        try await test.run(configuration)
        let whole = try test.folder.files(below: "out")
        let journal = try test.folder.read("out/results.jsonl")
        let begin = try #require(journal.firstIndex(of: UInt8(ascii: "\n"))) + 1
        for cut in Self.cuts(journal.count) {
            // No outputs exist before the first line.
            if cut < begin { try test.folder.remove("out") }
            try test.folder.write(Array(journal.prefix(cut)), to: "out/results.jsonl")
            try test.folder.write("half", to: "out/.headroom-parts/7.part")
            // A file without a line in the journal may exist, and must be written again.
            let named = try cut == 0 ? [] : Set(ResultsFile(test.folder).paths)
            for path in whole.keys where cut >= begin && path != "results.jsonl" && !named.contains(path) {
                try test.folder.write("old", to: "out/\(path)")
            }
            try await test.run(configuration)
            var files = try test.folder.files(below: "out")
            files["results.jsonl"] = whole["results.jsonl"]
            #expect(files == whole)
            let keys = try ResultsFile(test.folder).keys
            #expect(keys.sorted() == ((0..<9).map { "\($0)" } + ["x!unsupported-image"]))
            #expect(!test.folder.exists("out/.headroom-parts"))
        }
    }

    @Test func `an archive is the same wherever its journal was truncated`() async throws {
        let test = try TestRun()
        try test.draw(6)
        var members: [UInt8] = []
        for number in 0..<6 {
            members += TestArchive.member("s/\(number).png", try test.folder.read("in/\(number).png"))
            members += TestArchive.member("s/\(number).json", Array("{\"n\": \(number)}".utf8))
        }
        let input = try test.folder.write(members + TestArchive.end, to: "in.tar")
        var configuration = test.configuration()
        configuration.target = .archive(test.folder.place("out.tar"))
        configuration.results = test.folder.place("out.tar.results.jsonl")
        try await test.run(configuration, [input])
        let whole = try test.folder.read("out.tar")
        let rows = try Rows.of([test.folder.place("out.tar")], in: test.folder)
        #expect(rows == (0..<6).map { "s/\($0)<out.tar:s/\($0).png+s/\($0).json" })
        let journal = try test.folder.read("out.tar.results.jsonl")
        for cut in Self.cuts(journal.count) {
            try test.folder.write(Array(journal.prefix(cut)), to: "out.tar.results.jsonl")
            // The process was killed while the archive grew, or, if the journal is complete, before its hidden folder
            // was removed.
            if cut < journal.count {
                try test.folder.remove("out.tar")
                try test.folder.write(whole + [1, 2, 3], to: ".headroom-parts-out.tar/archive.tar")
            }
            try await test.run(configuration, [input])
            #expect(try test.folder.read("out.tar") == whole)
            #expect(!test.folder.exists(".headroom-parts-out.tar"))
            #expect(try ResultsFile(test.folder, "out.tar.results.jsonl").keys == (0..<6).map { "s/\($0)" })
        }
        try test.folder.remove("out.tar.results.jsonl")
        await #expect(throws: BatchError.self) { try await test.run(configuration, [input]) }
        #expect(try test.folder.read("out.tar") == whole)
    }

    @Test func `a damaged line in the middle is an error`() async throws {
        let test = try TestRun()
        try test.draw(3)
        try await test.run(test.configuration())
        var lines = try test.folder.lines("out/results.jsonl")
        lines[2] = String(lines[2].dropFirst())
        try test.folder.write(lines.map { "\($0)\n" }.joined(), to: "out/results.jsonl")
        await #expect(throws: BatchError.self) { try await test.run(test.configuration()) }
    }
}
