import Foundation
import Glibc
import Synchronization

/// What a worker process writes on standard error, which ends when the process does.
///
/// A thread waits for it: workers are few, and their pipes break under load in all ways there are, which Dispatch's
/// sources did not survive every time.
final class WorkerWords: Sendable {
    /// What a worker may say in its life; only one that is out of its mind says more.
    static let maxBytes = 4096

    private let descriptor: Int32
    private let bytes = Mutex<[UInt8]>([])
    private let ended = DispatchSemaphore(value: 0)

    /// Adopts the non-blocking end of a pipe; the other end must be closed before ``all()`` is asked for.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Listens; calls back once, when nobody can write any more, or when too much was written.
    func listen(_ onEnd: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [self] in
            while waitForWords(), !read() {}
            close(descriptor)
            ended.signal()
            onEnd()
        }
    }

    /// Everything that was said, in one line; waits until the pipe has ended.
    func all() -> String {
        ended.wait()
        ended.signal()
        return String(decoding: bytes.withLock { $0 }, as: UTF8.self).split(whereSeparator: \.isNewline)
            .joined(separator: "; ")
    }

    /// False when the pipe cannot be waited for.
    private func waitForWords() -> Bool {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&event, 1, -1) < 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }

    /// Reads what there is; true when that was the last of it.
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
