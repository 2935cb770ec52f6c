import Logging
import Synchronization

/// A log whose lines tests can read.
final class LogRecorder: Sendable {
    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            let pairs = all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
            recorder.written.withLock { $0.append("\(event.level) \(event.message) \(pairs)") }
        }
    }

    private let written = Mutex<[String]>([])

    /// A logger that writes to the recorder at every level.
    var logger: Logger { Logger(label: "test") { _ in Handler(recorder: self) } }

    /// All lines so far: level, message, and metadata by name.
    var lines: [String] { written.withLock { $0 } }
}
