import Batch
import Testing

/// Files that a run must not replace.
@Suite struct OutputSafetyTests {
    @Test func `an output does not replace its source`() async throws {
        let test = try TestRun()
        try test.draw(2)
        let before = try test.folder.files(below: "in")
        var configuration = test.configuration()
        configuration.target = .folder(test.folder.place("in"))
        configuration.failureLimit = .percent(100)
        try await test.run(configuration, [test.folder.place("in/0.png"), test.folder.place("in/1.png")])
        #expect(try ResultsFile(test.folder).keys == ["0!output-refused", "1!output-refused"])
        #expect(try test.folder.files(below: "in") == before)
    }

    @Test(arguments: ["in", "in/.", "in/../in"])
    func `an output folder cannot be an input`(output: String) async throws {
        let test = try TestRun()
        try test.draw(1)
        let before = try test.folder.files(below: "in")
        var configuration = test.configuration()
        configuration.target = .folder(test.folder.place(output))
        await #expect(throws: BatchError.self) { try await test.run(configuration) }
        #expect(try test.folder.files(below: "in") == before)
    }

    @Test func `an output folder in a bucket cannot contain an input`() throws {
        func check(_ argument: String) throws { try BatchInputs([argument], excluding: "s3://b/2026").checkOutput() }
        try check("s3://b/")
        try check("s3://b/2025/")
        try check("s3://b/2026/a.jpg")
        #expect(throws: BatchError.self) { try check("s3://b/2026/") }
        #expect(throws: BatchError.self) { try check("s3://b/2026/may/") }
        #expect(throws: BatchError.self) { try check("S3://b/%32026/may/") }
    }

    @Test func `only a restart replaces existing files, even after it was killed`() async throws {
        let test = try TestRun()
        try test.draw(2)
        try test.folder.write("mine", to: "out/0.png")
        var configuration = test.configuration()
        configuration.failureLimit = .percent(100)
        try await test.run(configuration)
        #expect(try ResultsFile(test.folder).keys == ["0!output-refused", "1"])
        #expect(try test.folder.read("out/0.png") == Array("mine".utf8))
        configuration.restarts = true
        try await test.run(configuration)
        #expect(try ResultsFile(test.folder).keys == ["0", "1"])
        #expect(try test.folder.read("out/0.png") != Array("mine".utf8))
        // Only the first line remains.
        let header = try test.folder.lines("out/results.jsonl")[0]
        try test.folder.write(header + "\n", to: "out/results.jsonl")
        configuration.restarts = false
        try await test.run(configuration)
        #expect(try ResultsFile(test.folder).keys == ["0", "1"])
    }

    @Test func `an output does not replace the results file under another name`() async throws {
        let test = try TestRun()
        try test.draw(1)
        var configuration = test.configuration()
        configuration.results = test.folder.place("out/./0.png")
        configuration.failureLimit = .percent(100)
        let (_, tally) = try await test.run(configuration)
        #expect(tally.failed == 1)
        #expect(try test.folder.lines("out/0.png").count == 2)
    }

    @Test func `an image gets either all of its outputs or none`() async throws {
        let test = try TestRun()
        try test.draw(1)
        // A folder with the name of the second output.
        try test.folder.write("", to: "out/0-2x1.png/x")
        var configuration = test.configuration([("aspect", "1:1,2:1")])
        configuration.failureLimit = .percent(100)
        try await test.run(configuration)
        #expect(try test.folder.files(below: "out").keys.sorted() == ["0-2x1.png/x", "results.jsonl"])
    }
}
