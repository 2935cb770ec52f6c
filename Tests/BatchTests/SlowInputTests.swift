import Batch
import Foundation
import TestPacing
import Testing

/// An input that pauses between rows does not delay anything else.
@Suite(.limitedConcurrency) struct SlowInputTests {
    /// A named pipe whose writing end is open.
    private struct Pipe {
        let path: String
        let handle: FileHandle

        init(_ folder: Folder) throws {
            path = folder.place("rows")
            try #require(mkfifo(path, 0o600) == 0)
            // The pipe is also opened for reading, so that opening it does not wait for a reader.
            handle = FileHandle(fileDescriptor: open(path, O_RDWR | O_CLOEXEC), closeOnDealloc: true)
        }

        func write(_ folder: Folder, _ numbers: Range<Int>) throws {
            try handle.write(contentsOf: Data(numbers.map { folder.place("in/\($0).png\n") }.joined().utf8))
        }
    }

    @Test func `outputs are written while the input waits`() async throws {
        let test = try TestRun()
        try test.draw(5)
        let pipe = try Pipe(test.folder)
        try pipe.write(test.folder, 0..<2)
        async let run = test.run(test.configuration(), [pipe.path], kind: .list)
        let arePlaced = await eventually { (try? ResultsFile(test.folder).paths.count) == 2 }
        #expect(arePlaced)
        try pipe.write(test.folder, 2..<5)
        try pipe.handle.close()
        let (end, tally) = try await run
        #expect(end == .complete && tally.done == 5)
    }

    @Test func `a run that is stopped does not wait for its input`() async throws {
        let test = try TestRun()
        try test.draw(2)
        let pipe = try Pipe(test.folder)
        try pipe.write(test.folder, 0..<2)
        let hasEnded = Gate()
        async let run = test.run(test.configuration(), [pipe.path], kind: .list) { progress in
            if progress.done == 2 { test.stop.request() }
            if progress.isFinal { hasEnded.signal() }
        }
        let isOver = await eventually { hasEnded.count == 1 }
        #expect(isOver)
        try pipe.handle.close()
        let (end, tally) = try await run
        #expect(end == .stopped && tally.done == 2)
    }
}
