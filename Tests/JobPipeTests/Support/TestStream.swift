import JobPipe
import Synchronization

/// A pipe in memory: all input is available at once, and each read returns a limited number of bytes.
final class TestStream: JobStream {
    /// The reason why writing fails.
    struct Closed: Error {}

    private struct State {
        var input: ArraySlice<UInt8>
        var output: [UInt8] = []
        var isStopped = false
        var isClosed = false
    }

    private let state: Mutex<State>
    private let piece: Int

    init(_ input: [UInt8], piece: Int = .max) {
        state = Mutex(State(input: input[...]))
        self.piece = piece
    }

    /// The bytes written so far.
    var output: [UInt8] { state.withLock { $0.output } }

    /// The bytes that were not read.
    var unread: Int { state.withLock { $0.input.count } }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    func stop() { state.withLock { $0.isStopped = true } }

    /// Rejects any further output.
    func close() { state.withLock { $0.isClosed = true } }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        state.withLock { state in
            guard !state.isStopped else { return 0 }
            let part = state.input.prefix(min(piece, buffer.count))
            for (index, byte) in part.enumerated() { buffer[index] = byte }
            state.input = state.input.dropFirst(part.count)
            return part.count
        }
    }

    func write(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            guard !state.isClosed else { throw Closed() }
            state.output += bytes
        }
    }
}
