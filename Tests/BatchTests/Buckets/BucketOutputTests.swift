import Batch
import Foundation
import HTTPTypes
import TestHTTP
import TestPacing
import Testing

/// Runs from a bucket to a bucket write the same bytes as runs from a folder to a folder.
@Suite(.limitedConcurrency) struct BucketOutputTests {
    /// Images in a folder and in a bucket, and a run with a target in the bucket `out`.
    private struct Setting {
        let test: TestRun
        let buckets = TestBuckets()
        var configuration: BatchConfiguration

        init(_ output: String, count: Int) throws {
            test = try TestRun()
            try test.draw(count)
            configuration = test.configuration([("aspect", "1:1,2:1")])
            let results = test.folder.place("journal.jsonl")
            configuration.target = try OutputTarget(output, results: results)
            configuration.results = results
            for (name, bytes) in try test.folder.files(below: "in") { buckets.objects["in/p/\(name)"] = bytes }
        }

        /// The objects of a bucket by key.
        func objects(_ bucket: String) -> [String: [UInt8]] {
            Dictionary(
                uniqueKeysWithValues: buckets.objects.filter { $0.key.hasPrefix("\(bucket)/") }
                    .map { (String($0.key.dropFirst(bucket.count + 1)), $0.value) }
            )
        }

        func cut(_ length: Int) throws {
            try test.folder.write(Array(try test.folder.read("journal.jsonl").prefix(length)), to: "journal.jsonl")
        }

        /// Runs with a folder or an archive as target, to get the expected bytes.
        func local(_ target: OutputTarget, _ arguments: [String]? = nil) async throws {
            var local = configuration
            local.target = target
            local.results = test.folder.place("local.jsonl")
            try await test.run(local, arguments)
        }
    }

    @Test(arguments: BatchConfiguration.Order.allCases)
    func `objects are the same wherever the journal was truncated`(order: BatchConfiguration.Order) async throws {
        var setting = try Setting("s3://out/crops", count: 7)
        setting.configuration.order = order
        try await setting.local(.folder(setting.test.folder.place("local")))
        let files = try setting.test.folder.files(below: "local")
        let expected = Dictionary(uniqueKeysWithValues: files.map { ("crops/\($0.key)", $0.value) })
        try await setting.buckets.origin().running { [setting] endpoint in
            let (end, tally) = try await setting.test.run(setting.configuration, ["s3://in/p/"], endpoint: endpoint)
            #expect(end == .complete && tally.done == 7)
            #expect(setting.objects("out") == expected)
            let journal = try setting.test.folder.read("journal.jsonl")
            for cut in stride(from: 0, through: journal.count, by: max(1, journal.count / 11)) {
                try setting.test.folder.write(Array(journal.prefix(cut)), to: "journal.jsonl")
                // An object without a line in the journal may exist.
                let named = try cut == 0 ? [] : Set(ResultsFile(setting.test.folder, "journal.jsonl").paths)
                for path in files.keys where !named.contains(path) {
                    setting.buckets.objects["out/crops/\(path)"] = [0]
                }
                try await setting.test.run(setting.configuration, ["s3://in/p/"], endpoint: endpoint)
                #expect(setting.objects("out") == expected)
                let keys = try ResultsFile(setting.test.folder, "journal.jsonl").keys
                #expect(keys.sorted() == (0..<7).map { "\($0)" })
            }
        }
    }

    @Test func `an archive appears when it is complete, and a later run continues it`() async throws {
        let setting = try Setting("s3://out/a.tar", count: 5)
        var members: [UInt8] = []
        for number in 0..<5 {
            members += TestArchive.member("s/\(number).png", try setting.test.folder.read("in/\(number).png"))
            members += TestArchive.member("s/\(number).json", Array("{\"n\": \(number)}".utf8))
        }
        let input = try setting.test.folder.write(members + TestArchive.end, to: "in.tar")
        setting.buckets.objects["in/in.tar"] = members + TestArchive.end
        try await setting.local(.archive(setting.test.folder.place("local.tar")), [input])
        let expected = ["a.tar": try setting.test.folder.read("local.tar")]
        try await setting.buckets.origin().running { endpoint in
            func run() async throws -> BatchTally {
                try await setting.test.run(setting.configuration, ["s3://in/in.tar"], endpoint: endpoint).tally
            }
            #expect(try await run().done == 5)
            #expect(setting.objects("out") == expected)
            #expect(!setting.test.folder.exists(".headroom-parts-journal.jsonl"))
            // The run was complete, so the archive is downloaded again.
            #expect(try await run().skipped == 5)
            #expect(setting.objects("out") == expected)
            let journal = try setting.test.folder.read("journal.jsonl")
            for cut in stride(from: 0, through: journal.count, by: max(1, journal.count / 7)) {
                try setting.test.folder.write(Array(journal.prefix(cut)), to: "journal.jsonl")
                _ = try await run()
                #expect(setting.objects("out") == expected)
            }
            // The upload fails. The same command uploads again without repeating a job.
            try setting.cut(0)
            setting.buckets.objects["out/a.tar"] = nil
            setting.buckets.fail {
                $0.query.contains("partNumber") ? TestBuckets.error("AccessDenied", .forbidden) : nil
            }
            await #expect(throws: BatchError.self) { try await run() }
            #expect(setting.objects("out").isEmpty && setting.buckets.uploads.isEmpty)
            setting.buckets.fail { _ in nil }
            let tally = try await run()
            #expect(tally.done == 0 && tally.skipped == 5)
            #expect(setting.objects("out") == expected)
        }
        #expect(setting.buckets.uploads.isEmpty)
    }

    @Test func `an upload of a killed process is aborted`() async throws {
        let setting = try Setting("s3://out/a.tar", count: 1)
        try await setting.buckets.origin().running { endpoint in
            // The service does not process the end of the first upload, as if the process had exited before.
            setting.buckets.fail {
                $0.method == "DELETE" || $0.query.hasPrefix("uploadId") ? .init(status: .badGateway) : nil
            }
            await #expect(throws: BatchError.self) {
                try await setting.test.run(setting.configuration, ["s3://in/p/"], endpoint: endpoint)
            }
            let left = try #require(setting.buckets.uploads.first)
            try setting.test.folder.write(left, to: ".headroom-parts-journal.jsonl/upload")
            setting.buckets.fail { _ in nil }
            try await setting.test.run(setting.configuration, ["s3://in/p/"], endpoint: endpoint)
        }
        #expect(setting.buckets.uploads.isEmpty && setting.objects("out").keys.sorted() == ["a.tar"])
    }

    @Test func `existing paths and sources are not replaced`() async throws {
        var setting = try Setting("s3://in/p", count: 1)
        setting.configuration.parameters = [.init(name: "aspect", value: "1:1")]
        setting.configuration.failureLimit = .percent(100)
        setting.configuration.name = try OutputName("{key}.{format}")
        setting.configuration.inWork = 1
        let rows = [
            #"{"url": "s3://in/p/0.png"}"#, #"{"url": "s3://in/p/0.png", "key": "0"}"#,
            #"{"url": "s3://in/p/0.png", "key": "k"}"#, #"{"url": "s3://in/p/0.png", "key": "./k"}"#,
        ]
        let list = try setting.test.folder.write(rows.joined(separator: "\n"), to: "rows.jsonl")
        let source = setting.buckets.objects["in/p/0.png"]
        _ = try await setting.buckets.origin().running { [setting] endpoint in
            try await setting.test.run(setting.configuration, [list], endpoint: endpoint)
        }
        let keys = try ResultsFile(setting.test.folder, "journal.jsonl").keys
        #expect(keys == ["in/p/0", "0!output-refused", "k", "./k!invalid-key"])
        #expect(setting.objects("in").keys.sorted() == ["p/0.png", "p/in/p/0.png", "p/k.png"])
        #expect(setting.buckets.objects["in/p/0.png"] == source)
    }

    @Test func `an output that temporarily cannot be written is retried`() async throws {
        var setting = try Setting("s3://out/", count: 2)
        setting.configuration.failureLimit = .percent(100)
        setting.configuration.inWork = 1
        let puts = Counter()
        setting.buckets.fail { $0.method == "PUT" && puts.next() <= 2 ? .init(status: .serviceUnavailable) : nil }
        try await setting.buckets.origin().running { [setting] endpoint in
            func run(_ configuration: BatchConfiguration) async throws -> BatchTally {
                try await setting.test.run(configuration, ["s3://in/p/"], endpoint: endpoint).tally
            }
            let first = try await run(setting.configuration)
            #expect(first.done == 2 && first.retries == 2)
            var again = setting.configuration
            again.restarts = true
            setting.buckets.fail { $0.method == "PUT" ? .init(status: .serviceUnavailable) : nil }
            #expect(try await run(again).failed == 2)
            let keys = try ResultsFile(setting.test.folder, "journal.jsonl").keys
            #expect(keys == ["0!output-failed", "1!output-failed"])
            setting.buckets.fail { _ in nil }
            again.restarts = false
            again.retriesFailed = true
            #expect(try await run(again).done == 2)
            // A failure that would affect all other outputs ends the run, and a later run processes the rows.
            again.restarts = true
            setting.buckets.fail { $0.method == "PUT" ? TestBuckets.error("AccessDenied", .forbidden) : nil }
            await #expect(throws: BatchError.self) { try await run(again) }
            #expect(try ResultsFile(setting.test.folder, "journal.jsonl").keys.isEmpty)
        }
    }

    @Test(arguments: ["s3://", "s3://out/../x", "s3://out/%zz"])
    func `an invalid target is rejected`(text: String) {
        #expect(throws: BatchError.self) { try OutputTarget(text, results: "r.jsonl") }
        #expect(throws: BatchError.self) { try OutputTarget("s3://out/x") }
    }
}
