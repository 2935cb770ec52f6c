import Glibc
package import Logging

/// Writes every log event as one line; untrusted text is escaped.
package struct LineLogHandler: LogHandler {
    /// The lowest level that is written.
    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]

    private let label: String
    private let format: LogFormat
    private let write: @Sendable ([UInt8]) -> Void

    /// A handler that passes each line, in UTF-8 with its newline, to `write`, on the logging thread.
    package init(label: String, format: LogFormat, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.label = label
        self.format = format
        self.write = write
    }

    /// One metadata value of every event.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let all = metadata.isEmpty ? event.metadata ?? [:] : metadata.merging(event.metadata ?? [:]) { $1 }
        let pairs = all.sorted { $0.key < $1.key }.map { (key: $0.key, value: LogValue($0.value)) }
        write("\(event.message)", pairs, level: event.level)
    }

    /// Writes a line with fields in the given order, whatever ``logLevel`` is; without ``metadata``.
    ///
    /// A dictionary of metadata cost more than the rest of a line.
    package func write(_ message: String, _ pairs: [(key: String, value: LogValue)], level: Logger.Level) {
        write(LogLine(time: .now(), level: level, label: label, message: message, pairs: pairs).bytes(format))
    }
}

/// Writes lines to a file descriptor, each one without interleaving.
package final class LineOutput: @unchecked Sendable {
    private let descriptor: Int32
    /// Locked for reading by writers of short lines, which may write concurrently, and for writing by the writer of a
    /// long line.
    private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

    /// Writes to a descriptor, which stays open.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
        pthread_rwlock_init(lock, nil)
    }

    deinit {
        pthread_rwlock_destroy(lock)
        lock.deallocate()
    }

    /// The output for service logs.
    package static let standardError = LineOutput(descriptor: STDERR_FILENO)

    /// Writes a line; errors are ignored.
    ///
    /// The kernel writes up to `PIPE_BUF` bytes as a whole, to a pipe (pipe(7)) and to a file, whose position it locks,
    /// so that such lines do not wait for each other here.
    package func write(_ line: [UInt8]) {
        line.withUnsafeBytes { bytes in
            var rest = bytes
            if bytes.count <= PIPE_BUF {
                pthread_rwlock_rdlock(lock)
                rest = written(rest)
                pthread_rwlock_unlock(lock)
            }
            guard !rest.isEmpty else { return }
            pthread_rwlock_wrlock(lock)
            defer { pthread_rwlock_unlock(lock) }
            while !rest.isEmpty {
                let before = rest.count
                rest = written(rest)
                guard rest.count == before else { continue }
                switch errno {
                case EINTR: continue
                case EAGAIN:
                    // Another process has made the pipe non-blocking.
                    var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&wait, 1, -1)
                default: return
                }
            }
        }
    }

    /// Calls write(2) once, and returns the bytes that were not written; `errno` has the reason, or is 0.
    private func written(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        errno = 0
        let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        return UnsafeRawBufferPointer(rebasing: bytes.dropFirst(max(0, count)))
    }
}
