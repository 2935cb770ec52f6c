import Dispatch
import Glibc
import Synchronization
import Threads

/// The standard error of a worker process, which ends when the process ends.
///
/// A thread reads it instead of a Dispatch source. There are only a few workers, and Dispatch sources crashed when
/// pipes broke under load.
final class WorkerStderr: Sendable {
    /// The maximum number of captured bytes.
    static let maxBytes = 4096

    private let descriptor: Int32
    private let bytes = Mutex<[UInt8]>([])
    private let ended = DispatchSemaphore(value: 0)

    /// Takes ownership of the non-blocking end of a pipe.
    ///
    /// The other end must be closed before ``all()`` is called.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Reads on its own thread.
    ///
    /// Calls `onEnd` once, when all writers have closed the pipe or the maximum is reached.
    func listen(_ onEnd: @escaping @Sendable () -> Void) {
        DetachedThread.start { [self] in
            while waitForWords(), !read() {}
            close(descriptor)
            ended.signal()
            onEnd()
        }
    }

    /// Waits for the end of the pipe and returns the captured text as one line.
    func all() -> String {
        ended.wait()
        ended.signal()
        return String(decoding: bytes.withLock { $0 }, as: UTF8.self).split(whereSeparator: \.isNewline)
            .joined(separator: "; ")
    }

    /// Waits for bytes.
    ///
    /// Returns false if poll(2) fails.
    private func waitForWords() -> Bool {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&event, 1, -1) < 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }

    /// Reads the available bytes.
    ///
    /// Returns true at the end of the pipe or at the maximum.
    private func read() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1024)
        let count = Glibc.read(descriptor, &chunk, chunk.count)
        if count < 0 { return errno != EAGAIN && errno != EINTR }
        if count == 0 { return true }
        return bytes.withLock { bytes in
            bytes += chunk[..<count].prefix(Self.maxBytes - bytes.count)
            return bytes.count == Self.maxBytes
        }
    }
}
