import Dispatch
import Glibc
import Synchronization
import Threads

/// Writes lines to a file descriptor from a thread of its own, so that a reader that does not read delays no caller.
///
/// Lines wait in a buffer of a fixed size. A line that does not fit, or that cannot be written, is dropped and counted;
/// once lines are written again, one of them reports how many were dropped.
package final class LineOutput: Sendable {
    /// Default size of the buffer, in bytes.
    package static let bufferBytes = 1 << 20
    /// Maximum wait for the lines in the buffer at the end of the process.
    package static let timeAtEnd = Duration.seconds(2)

    private struct State {
        /// The lines that wait, one after the other.
        var waiting: [UInt8] = []
        /// Bytes that the thread has taken and not yet written.
        var writingBytes = 0
        var isStarted = false
        /// Whether the thread waits for lines.
        var isIdle = false
        /// Dropped lines that no line has reported.
        var unreported = 0
        var dropped = 0
        var report: (@Sendable (_ lines: Int) -> [UInt8])?
        /// Signalled when no line waits any more.
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
    /// Wakes the thread when it is idle and a line arrives.
    private let arrival = DispatchSemaphore(value: 0)

    /// An output whose thread starts with the first line.
    ///
    /// - Parameters:
    ///   - descriptor: An open descriptor, which stays open.
    ///   - capacity: The size of the buffer, in bytes.
    package init(descriptor: Int32, capacity: Int = LineOutput.bufferBytes) {
        self.descriptor = descriptor
        self.capacity = capacity
    }

    /// The output of service logs; exit(3) waits until its lines are written, for at most ``timeAtEnd``.
    package static let standardError: LineOutput = {
        atexit { LineOutput.standardError.flush() }
        return LineOutput(descriptor: STDERR_FILENO)
    }()

    /// The number of lines that were dropped since the start.
    package var droppedLines: Int { state.withLock { $0.dropped } }

    /// Sets the line that reports a number of dropped lines; without one, they are only counted.
    package func reportDrops(_ line: @escaping @Sendable (_ lines: Int) -> [UInt8]) {
        state.withLock { $0.report = line }
    }

    /// Queues a line with its newline, and returns at once.
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

    /// Waits until all lines are written, at most for a time.
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
        // A pipe whose reader has gone fails with EPIPE instead of ending the process.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        // Its capacity is used again for the next lines.
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

    /// Writes lines; returns whether all of them were written.
    ///
    /// The kernel writes up to `PIPE_BUF` bytes to a pipe as a whole (pipe(7)), so that lines of other processes do not
    /// come in between.
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

    /// The whole lines at the beginning that have at most `PIPE_BUF` bytes; a longer first line alone.
    private static func piece(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        guard bytes.count > Int(PIPE_BUF) else { return bytes }
        if let last = bytes.prefix(Int(PIPE_BUF)).lastIndex(of: newline) { return bytes[...last] }
        return bytes.firstIndex(of: newline).map { bytes[...$0] } ?? bytes
    }

    /// Writes bytes, and waits as long as that takes; returns whether they were written.
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
