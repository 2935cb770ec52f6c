import Dispatch
import Glibc
import Synchronization
import Threads

/// Writes lines to a file descriptor on its own thread, so that a blocked reader does not delay callers.
///
/// Lines wait in a buffer of fixed size. A line that does not fit or cannot be written is dropped and counted. When
/// lines can be written again, a line reports the number of dropped lines.
package final class LineOutput: Sendable {
    /// Default size of the buffer, in bytes.
    package static let bufferBytes = 1 << 20
    /// Maximum time to wait for buffered lines when the process exits.
    package static let timeAtEnd = Duration.seconds(2)

    private struct State {
        /// The waiting lines, stored one after another.
        var waiting: [UInt8] = []
        /// The number of bytes that the thread has taken but not written.
        var writingBytes = 0
        var isStarted = false
        /// Whether the thread waits for lines.
        var isIdle = false
        /// The number of dropped lines that have not been reported.
        var unreported = 0
        var dropped = 0
        var report: (@Sendable (_ lines: Int) -> [UInt8])?
        /// Signalled when no more lines are waiting.
        var flushes: [DispatchSemaphore] = []

        var isEmpty: Bool { waiting.isEmpty && writingBytes == 0 }

        mutating func drop(_ lines: Int) {
            dropped += lines
            unreported += lines
        }
    }

    private let descriptor: Int32
    private let capacity: Int
    private let state = Mutex(State())
    /// Wakes an idle thread when a line arrives.
    private let arrival = DispatchSemaphore(value: 0)

    /// Creates an output.
    ///
    /// Its thread starts with the first line.
    ///
    /// - Parameters:
    ///   - descriptor: An open file descriptor, which the output does not close.
    ///   - capacity: The size of the buffer, in bytes.
    package init(descriptor: Int32, capacity: Int = LineOutput.bufferBytes) {
        self.descriptor = descriptor
        self.capacity = capacity
    }

    /// The output for service logs.
    ///
    /// exit(3) waits until its lines are written, but at most ``timeAtEnd``.
    package static let standardError: LineOutput = {
        atexit { LineOutput.standardError.flush() }
        return LineOutput(descriptor: STDERR_FILENO)
    }()

    /// The number of lines dropped since the start.
    package var droppedLines: Int { state.withLock { $0.dropped } }

    /// Sets the line that reports a number of dropped lines.
    ///
    /// Without this line, dropped lines are only counted.
    package func reportDrops(_ line: @escaping @Sendable (_ lines: Int) -> [UInt8]) {
        state.withLock { $0.report = line }
    }

    /// Queues a line with its newline, and returns immediately.
    package func write(_ line: [UInt8]) {
        let (isFirst, wasIdle) = state.withLock { state in
            guard line.count <= capacity - state.waiting.count - state.writingBytes else {
                state.drop(1)
                return (false, false)
            }
            state.waiting += line
            defer { (state.isStarted, state.isIdle) = (true, false) }
            return (!state.isStarted, state.isIdle)
        }
        if isFirst { DetachedThread.start { self.run() } }
        if wasIdle { arrival.signal() }
    }

    /// Waits until all lines are written, up to a time limit.
    package func flush(within time: Duration = LineOutput.timeAtEnd) {
        let done = DispatchSemaphore(value: 0)
        let isEmpty = state.withLock { state in
            if !state.isEmpty { state.flushes.append(done) }
            return state.isEmpty
        }
        if !isEmpty { _ = done.wait(timeout: .now() + .milliseconds(Int(time / .milliseconds(1)))) }
    }

    // MARK: Thread

    private func run() {
        // With SIGPIPE blocked, writing to a pipe without a reader fails with EPIPE instead of ending the process.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        // The capacity of this array is reused for the next lines.
        var lines: [UInt8] = []
        while true {
            lines.removeAll(keepingCapacity: true)
            let flushes = state.withLock { state -> [DispatchSemaphore] in
                swap(&lines, &state.waiting)
                state.writingBytes = lines.count
                guard lines.isEmpty else { return [] }
                state.isIdle = true
                defer { state.flushes = [] }
                return state.flushes
            }
            for flush in flushes { flush.signal() }
            if lines.isEmpty { arrival.wait() } else if write(all: lines) { reportDrops() }
        }
    }

    private func reportDrops() {
        let (count, report) = state.withLock { state in
            defer { state.unreported = 0 }
            return (state.unreported, state.report)
        }
        guard count > 0, let report else { return }
        let line = report(count)
        let isWritten = line.withUnsafeBytes(write(piece:))
        if !isWritten { state.withLock { $0.unreported += count } }
    }

    /// Writes lines.
    ///
    /// Returns whether every line was written.
    ///
    /// The kernel writes up to `PIPE_BUF` bytes to a pipe atomically (pipe(7)), so lines of other processes cannot be
    /// mixed in.
    private func write(all lines: [UInt8]) -> Bool {
        lines.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = Self.piece(rest)
                guard write(piece: UnsafeRawBufferPointer(rebasing: piece)) else {
                    let lost = rest.count { $0 == Self.newline }
                    state.withLock { state in
                        state.writingBytes = 0
                        state.drop(lost)
                    }
                    return false
                }
                rest = rest[piece.endIndex...]
                state.withLock { $0.writingBytes = rest.count }
            }
            return true
        }
    }

    private static let newline = UInt8(ascii: "\n")

    /// Returns the first whole lines, which together have at most `PIPE_BUF` bytes.
    ///
    /// If the first line is longer, returns only this line.
    private static func piece(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        guard bytes.count > Int(PIPE_BUF) else { return bytes }
        if let last = bytes.prefix(Int(PIPE_BUF)).lastIndex(of: newline) { return bytes[...last] }
        return bytes.firstIndex(of: newline).map { bytes[...$0] } ?? bytes
    }

    /// Writes bytes and waits until they are written.
    ///
    /// Returns whether they were written.
    private func write(piece bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if count >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                // Another process has made the pipe non-blocking.
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            default: return false
            }
        }
        return true
    }
}
