import Batch
import Foundation
import Requests
import Synchronization
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct BatchRunTests {
    @Test func `a result contains the number of redacted heads and the chroma key that was found`() async throws {
        let run = try TestRun()
        try run.draw(1)
        let parameters = [("redact", "fill"), ("chromaKey", "auto"), ("gravity", "center")]
        #expect(try await run.run(run.configuration(parameters)).tally.done == 1)
        let plan = try #require(try ResultsFile(run.folder).lines[0]["plan"] as? [String: Any])
        #expect((plan["redaction"] as? [String: Any])?["heads"] as? Int == 1)
        #expect((plan["chromaKey"] as? String)?.isEmpty == false)
    }

    @Test func `the column key is the row ID, and the column chromaKey is the parameter`() async throws {
        let test = try TestRun()
        try test.draw(1)
        let place = test.folder.place("in/0.png")
        let rows = [
            #"{"file": "\#(place)", "key": "00ff00", "chromaKey": "auto", "backdrop": "0044cc"}"#,
            #"{"file": "\#(place)", "key": "a", "mark": "halo"}"#,
            #"{"file": "\#(place)", "key": "b", "mark": "halo", "watermark": "halo"}"#,
        ]
        let list = try test.folder.write(rows.joined(separator: "\n"), to: "jobs.jsonl")
        let (_, tally) = try await test.run(test.configuration([("mark", "hat"), ("gravity", "center")]), [list])
        let results = try ResultsFile(test.folder)
        #expect(results.keys == ["00ff00", "a", "b!invalid-parameter"])
        #expect((results.lines[0]["plan"] as? [String: Any])?["chromaKey"] != nil)
        #expect(tally.deprecated.map(\.change) == ["mark->watermark"])
    }

    @Test func `an interrupted run continues with the new name of a parameter`() async throws {
        let test = try TestRun()
        try test.draw(2)
        #expect(try await test.run(test.configuration([("mark", "halo")])).tally.done == 2)
        #expect(try await test.run(test.configuration([("watermark", "halo")])).tally.skipped == 2)
    }

    @Test func `every image has a file and a line in the results, in the order of the input`() async throws {
        let test = try TestRun()
        try test.draw(12)
        let (end, tally) = try await test.run(test.configuration())
        #expect(end == .complete)
        #expect(tally.done == 12 && tally.failed == 0)
        let results = try ResultsFile(test.folder)
        let names = (0..<12).map { "\($0)" }.sorted()
        #expect(results.keys == names)
        #expect(results.paths == names.map { "\($0).png" })
        let line = results.lines[0]
        let plan = try #require(line["plan"] as? [String: Any])
        #expect((plan["faces"] as? [Any])?.count == 1)
        #expect((line["sha256"] as? String)?.count == 64)
        #expect((line["milliseconds"] as? [String: Any])?["load"] != nil)
        #expect(try Set(test.folder.files(below: "out").keys) == Set(results.paths + ["results.jsonl"]))
        #expect(try test.folder.read("out/0.png").starts(with: [0x89, 0x50]))
    }

    @Test func `several aspect ratios have separate files, and keys may contain folders`() async throws {
        let test = try TestRun()
        try test.draw(1)
        let row =
            #"{"file": "\#(test.folder.place("in/0.png"))", "key": "x/y", "aspect": "16:9,1:1", "format": "jpeg"}"#
        let list = try test.folder.write(row, to: "jobs.jsonl")
        try await test.run(test.configuration([]), [list])
        #expect(try ResultsFile(test.folder).paths == ["x/y-16x9.jpg", "x/y-1x1.jpg"])
        #expect(test.folder.exists("out/x/y-1x1.jpg"))
        var named = test.configuration([])
        named.restarts = true
        named.name = try OutputName("all/{aspect}/{key}.{format}")
        try await test.run(named, [list])
        #expect(try ResultsFile(test.folder).paths == ["all/16x9/x/y.jpg", "all/1x1/x/y.jpg"])
        named.name = try OutputName("{key}.{format}")
        try await test.run(named, [list])
        #expect(try ResultsFile(test.folder).keys == ["x/y!invalid-parameter"])
    }

    @Test func `stickers are drawn, and an unknown sticker is an error of its row`() async throws {
        let test = try TestRun()
        try test.draw(1)
        let place = test.folder.place("in/0.png")
        let rows = [
            #"{"file": "\#(place)", "key": "plain"}"#, #"{"file": "\#(place)", "key": "hat", "overlay": "hat"}"#,
            #"{"file": "\#(place)", "key": "gone", "overlay": "gone"}"#,
        ]
        let list = try test.folder.write(rows.joined(separator: "\n"), to: "jobs.jsonl")
        try await test.run(test.configuration([]), [list])
        #expect(try ResultsFile(test.folder).keys == ["plain", "hat", "gone!invalid-parameter"])
        #expect(try test.folder.read("out/plain.png") != test.folder.read("out/hat.png"))
        await #expect(throws: BatchError.self) { try await test.run(test.configuration([("overlay", "gone")]), [list]) }
    }

    @Test func `each hostile row is an error and does not affect other rows`() async throws {
        let test = try TestRun()
        try test.draw(2)
        let place = test.folder.place("in/0.png")
        try test.folder.write("no image", to: "in/bad.jpg")
        let rows = [
            #"{"file": "\#(place)", "key": "ok"}"#, #"{"file": "\#(place)", "key": "../../escape"}"#,
            #"{"file": "\#(place)", "key": "ok"}"#, #"{"file": "\#(place)", "key": "a", "surprise": 1}"#,
            #"{"file": "\#(place)", "key": "b", "aspect": "0:0"}"#, #"{"file": "\#(test.folder.path)/in"}"#,
            #"{"file": "gone.jpg"}"#, #"{"file": "\#(test.folder.place("in/bad.jpg"))", "key": "bad"}"#,
            #"{"file": "/dev/zero", "key": "zero"}"#, "{", #"{"file": "\#(place)", "key": "results.jsonl/x"}"#,
            #"{"file": "\#(place)", "key": "c", "format": "zip"}"#, #"{"url": "ftp://h/a", "key": "d"}"#,
            #"{"file": "\#(place)", "offset": 1, "bytes": 999999999999, "key": "e"}"#,
            #"{"file": "\#(place)", "key": "ok.png/x"}"#,
        ]
        let list = try test.folder.write(rows.joined(separator: "\n"), to: "jobs.jsonl")
        var configuration = test.configuration()
        configuration.failureLimit = .percent(100)
        let (end, tally) = try await test.run(configuration, [list])
        #expect(end == .complete)
        #expect(tally.done == 1 && tally.failed == 14)
        let results = try ResultsFile(test.folder)
        #expect(
            results.keys.map { $0.split(separator: "!").last.map(String.init) ?? "" } == [
                "ok", "invalid-key", "duplicate-key", "invalid-parameter", "invalid-parameter", "source-not-found",
                "source-not-found", "unsupported-image", "source-not-found", "invalid-row", "output-refused",
                "invalid-parameter", "invalid-parameter", "source-not-found", "output-refused",
            ]
        )
        #expect(results.details.contains { $0.contains("jobs.jsonl:3") && $0.contains("jobs.jsonl:1") })
        #expect(try Set(test.folder.files(below: "out").keys) == ["ok.png", "results.jsonl"])
    }

    @Test func `faces in identical files are detected once, and never again with a findings file`() async throws {
        let test = try TestRun()
        try test.draw(1)
        let image = try test.folder.read("in/0.png")
        for number in 1..<9 { try test.folder.write(image, to: "in/\(number).png") }
        var configuration = test.configuration()
        configuration.findings = test.folder.place("findings")
        let (_, tally) = try await test.run(configuration)
        let searches = test.searches
        #expect(searches > 0 && tally.known == 8)
        let first = try test.folder.files(below: "out").filter { $0.key != "results.jsonl" }
        #expect(Set(first.values).count == 1)
        configuration.restarts = true
        let (_, second) = try await test.run(configuration)
        #expect(test.searches == searches && second.known == 9)
        // A truncated and a damaged record cause a new detection.
        var findings = try test.folder.read("findings")
        findings[findings.count - 9] ^= 1
        try test.folder.write(findings + findings.prefix(40), to: "findings")
        let (_, third) = try await test.run(configuration)
        #expect(test.searches == 2 * searches && third.known == 8)
        let (_, fourth) = try await test.run(configuration)
        #expect(test.searches == 2 * searches && fourth.known == 9)
        #expect(try test.folder.files(below: "out").filter { $0.key != "results.jsonl" } == first)
    }

    @Test func `a run with other settings is rejected, and so is a results file of another program`() async throws {
        let test = try TestRun()
        try test.draw(2)
        try await test.run(test.configuration())
        let before = try test.folder.read("out/results.jsonl")
        await #expect(throws: BatchError.self) { try await test.run(test.configuration([("aspect", "2:1")])) }
        #expect(try test.folder.read("out/results.jsonl") == before)
        let (_, again) = try await test.run(test.configuration())
        #expect(again.done == 0 && again.skipped == 2)
        try test.folder.write("{}\n", to: "out/results.jsonl")
        await #expect(throws: BatchError.self) { try await test.run(test.configuration()) }
        await #expect(throws: BatchError.self) { try await test.run(test.configuration([("aspect", "x")])) }
    }

    @Test func `failures stop a run, are listed, and are retried on request`() async throws {
        let test = try TestRun()
        try test.draw(3)
        for number in 3..<9 { try test.folder.write("no image", to: "in/\(number).png") }
        var configuration = test.configuration()
        configuration.failures = test.folder.place("failed.jsonl")
        configuration.failureLimit = .count(2)
        configuration.inWork = 1
        let (end, tally) = try await test.run(configuration)
        #expect(end == .tooManyFailures)
        #expect(tally.done == 3 && tally.failed == 3)
        #expect(try test.folder.lines("failed.jsonl").count == 3)
        configuration.failureLimit = .percent(70)
        let (_, rest) = try await test.run(configuration)
        #expect(rest.done == 0 && rest.failed == 3 && rest.skipped == 6)
        #expect(try test.folder.lines("failed.jsonl").count == 6)
        // The list of failures can be used as input.
        var other = test.configuration()
        other.target = .folder(test.folder.place("more"))
        other.results = test.folder.place("more/results.jsonl")
        for number in 3..<9 { try test.folder.write(try test.folder.read("in/0.png"), to: "in/\(number).png") }
        let (_, repaired) = try await test.run(other, [test.folder.place("failed.jsonl")])
        #expect(repaired.done == 6)
        configuration.retriesFailed = true
        let (_, again) = try await test.run(configuration)
        #expect(again.done == 6 && again.skipped == 3)
        #expect(try test.folder.read("failed.jsonl").isEmpty)
    }

    @Test func `after a stop, jobs in progress finish, and a later run continues`() async throws {
        let test = try TestRun()
        try test.draw(40)
        let (end, tally) = try await test.run(test.configuration()) { progress in
            if progress.done == 5 { test.stop.request() }
        }
        #expect(end == .stopped)
        #expect((5..<20).contains(tally.done))
        #expect(try ResultsFile(test.folder).keys.count == tally.done)
        #expect(!test.folder.exists("out/.headroom-parts"))
        let other = try TestRun()
        try other.draw(40)
        try other.folder.write(try test.folder.read("out/results.jsonl"), to: "out/results.jsonl")
        let (_, rest) = try await other.run(other.configuration())
        #expect(rest.done + tally.done == 40 && rest.skipped == tally.done)
        #expect(Set(try ResultsFile(other.folder).keys).count == 40)
    }

    @Test func `after a stop, a later run processes the images that no worker has started`() async throws {
        let test = try TestRun()
        try test.draw(40)
        var configuration = test.configuration()
        (configuration.inWork, configuration.window, configuration.running) = (36, 40, 2)
        test.lastSearch.store(5, ordering: .relaxed)
        let (end, tally) = try await test.run(configuration)
        #expect(end == .stopped)
        // Five images and the images in the workers are processed, but not all images that were read.
        #expect((5..<12).contains(tally.done))
        #expect(tally.failed == 0)
        let (_, rest) = try await TestRun.rest(of: test, configuration)
        #expect(rest.done + tally.done == 40 && rest.skipped == tally.done)
    }

    @Test func `rows that fail are reported with their reason`() async throws {
        let test = try TestRun()
        try test.draw(1)
        try test.folder.write("no image", to: "in/1.png")
        let failures = Mutex<[BatchFailure]>([])
        try await test.run(test.configuration(), failed: { failure in failures.withLock { $0.append(failure) } })
        let found = failures.withLock(\.self)
        #expect(found.map(\.row) == [test.folder.place("in/1.png")])
        #expect(found.first?.detail.hasPrefix("The image format is not supported") == true)
    }

    @Test func `a failed detection is an error with its cause instead of a crop without faces`() async throws {
        let test = try TestRun()
        try test.draw(1)
        test.detectorFails.store(true, ordering: .relaxed)
        let (_, tally) = try await test.run(test.configuration())
        #expect(tally.done == 0 && tally.failed == 1)
        let results = try ResultsFile(test.folder)
        #expect(results.keys == ["0!internal-error"])
        let error = try #require(results.lines.first?["error"] as? [String: Any])
        #expect(error["cause"] as? String == "counting: the detector failed: broken")
    }

    @Test func `two runs cannot share a results file`() async throws {
        let test = try TestRun()
        try test.draw(3)
        let refused = Gate()
        try await test.run(test.configuration()) { progress in
            guard progress.done == 1, !progress.isFinal else { return }
            let descriptor = open(test.folder.place("out/results.jsonl"), O_RDWR)
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0 { refused.signal() }
            close(descriptor)
        }
        #expect(refused.count == 1)
    }
}
