import Glibc
import Synchronization

/// Writes lines to a file descriptor, each one without interleaving.
package final class LineOutput: Sendable {
    private let descriptor: Int32
    private let turn = Mutex(())

    /// Writes to a descriptor, which stays open.
    package init(descriptor: Int32) { self.descriptor = descriptor }

    /// The output for service logs.
    package static let standardError = LineOutput(descriptor: STDERR_FILENO)

    /// Writes a line; errors are ignored.
    package func write(_ line: String) {
        var line = line
        line.withUTF8 { bytes in
            turn.withLock { _ in
                var rest = UnsafeRawBufferPointer(bytes)
                while let base = rest.baseAddress, !rest.isEmpty {
                    let count = Glibc.write(descriptor, base, rest.count)
                    if count < 0, errno == EINTR { continue }
                    if count < 0, errno == EAGAIN {
                        // The pipe is non-blocking because another process has set that.
                        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                        poll(&wait, 1, -1)
                        continue
                    }
                    guard count > 0 else { return }
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                }
            }
        }
    }
}
