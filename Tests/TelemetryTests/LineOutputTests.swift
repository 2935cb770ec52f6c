import Foundation
import Telemetry
import Testing

/// Log lines for a pipe that is read late or never.
@Suite struct LineOutputTests {
    private static let capacity = 200_000

    private let pipe = Pipe()
    private let output: LineOutput

    init() {
        output = LineOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor, capacity: Self.capacity)
        output.reportDrops { Array("dropped \($0)\n".utf8) }
    }

    private func line(_ number: Int) -> [UInt8] { Array("\(number) \(String(repeating: "x", count: 90))\n".utf8) }

    /// Reads all bytes on a thread that blocked tests do not delay.
    private func readToEnd() -> Task<Data, any Error> {
        let handle = pipe.fileHandleForReading
        let (stream, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
        Thread.detachNewThread {
            do {
                continuation.yield(try handle.readToEnd() ?? Data())
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        return Task {
            for try await bytes in stream { return bytes }
            return Data()
        }
    }

    /// All lines, including lines that the writer has not written yet; closes the pipe.
    private func received(flush: Bool = true) async throws -> [Substring] {
        let reader = readToEnd()
        output.flush(within: .seconds(60))
        try pipe.fileHandleForWriting.close()
        return String(decoding: try await reader.value, as: UTF8.self).split(separator: "\n")
    }

    @Test func `lines of concurrent threads are not interleaved`() async throws {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask { [output] in
                    for _ in 0..<100 { output.write(Array((String(repeating: "\(number)", count: 400) + "\n").utf8)) }
                }
            }
        }
        let lines = try await received()
        #expect(lines.count == 400)
        #expect(lines.allSatisfy { $0.utf8.count == 400 && Set($0).count == 1 })
        #expect(output.droppedLines == 0)
    }

    @Test func `a line that exceeds one write of the kernel arrives whole and in order`() async throws {
        let long = Array(repeating: UInt8(ascii: "y"), count: 150_000) + [10]
        output.write(line(0))
        output.write(long)
        output.write(line(1))
        let lines = try await received()
        #expect(lines.map(\.utf8.count) == [line(0).count - 1, long.count - 1, line(1).count - 1])
    }

    @Test func `an unread pipe delays no caller, and lines that do not fit are dropped and counted`() async throws {
        let count = 20_000
        // Writes more than fits into the pipe and the buffer. If the call waited, it would not return.
        for number in 0..<count { output.write(line(number)) }
        let dropped = output.droppedLines
        #expect(dropped > 0)
        // The reader receives the first lines in order, and the report before the next lines.
        let reader = readToEnd()
        output.flush(within: .seconds(60))
        output.write(line(count))
        output.flush(within: .seconds(60))
        try pipe.fileHandleForWriting.close()
        let lines = String(decoding: try await reader.value, as: UTF8.self).split(separator: "\n")
        #expect(output.droppedLines == dropped)
        let numbers = lines.compactMap { Int($0.prefix { $0 != " " }) }
        #expect(numbers == numbers.sorted() && numbers.count == count + 1 - dropped)
        #expect(lines.count { $0.hasPrefix("dropped") } == 1)
        #expect(lines.contains("dropped \(dropped)"))
    }

    @Test func `a flush ends in time if the pipe is not read`() async throws {
        for number in 0..<2_000 { output.write(line(number)) }
        let start = ContinuousClock.now
        output.flush(within: .milliseconds(20))
        #expect(ContinuousClock.now - start >= .milliseconds(20))
        // The writer must not outlive its descriptor, because another test could get a descriptor with the same number.
        _ = try await received()
    }

    @Test func `lines that cannot be written are counted`() throws {
        let output = LineOutput(descriptor: -1)
        for number in 0..<3 { output.write(line(number)) }
        output.flush(within: .seconds(60))
        #expect(output.droppedLines == 3)
    }
}
