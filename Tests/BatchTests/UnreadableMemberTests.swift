import Batch
import Foundation
import TestPacing
import Testing

/// Members that belong to an image are read when its row is written.
///
/// They may be missing at that time.
@Suite(.limitedConcurrency) struct UnreadableMemberTests {
    @Test func `a member that cannot be read is an error of its row`() async throws {
        let test = try TestRun()
        try test.draw(3)
        let images = try (0..<3).map { try test.folder.read("in/\($0).png") }
        let companion = [UInt8](repeating: 7, count: 600)
        let head =
            TestArchive.member("a.png", images[0]) + TestArchive.member("a.json", companion)
            + TestArchive.member("b.png", images[1])
        let first = try test.folder.write(
            head + TestArchive.member("b.json", companion) + TestArchive.end,
            to: "first.tar"
        )
        let second = try test.folder.write(TestArchive.member("c.png", images[2]) + TestArchive.end, to: "second.tar")
        var configuration = test.configuration()
        configuration.target = .archive(test.folder.place("out.tar"))
        configuration.results = test.folder.place("results.jsonl")
        configuration.failureLimit = .percent(100)
        let folder = test.folder
        let (end, tally) = try await test.run(configuration, [first, second]) { progress in
            // The header of the member remains, but its content does not.
            if progress.done == 1, progress.failed == 0 { truncate(folder.place("first.tar"), head.count + 512) }
        }
        #expect(end == .complete && tally.done == 2 && tally.failed == 1)
        #expect(try ResultsFile(test.folder, "results.jsonl").keys == ["a", "b!source-not-found", "c"])
        let rows = try Rows.of([test.folder.place("out.tar")], in: test.folder)
        #expect(rows == ["a<out.tar:a.png+a.json", "c<out.tar:c.png"])
    }
}
