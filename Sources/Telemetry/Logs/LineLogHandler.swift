package import Logging

/// Writes every log event as one line; untrusted text is escaped.
package struct LineLogHandler: LogHandler {
    /// The lowest level that is written.
    package var logLevel = Logger.Level.info
    /// Metadata of every event.
    package var metadata: Logger.Metadata = [:]

    private let label: String
    private let format: LogFormat
    private let write: @Sendable (String) -> Void

    /// A handler that passes each line, with its newline, to `write`, on the logging thread.
    package init(label: String, format: LogFormat, write: @escaping @Sendable (String) -> Void) {
        self.label = label
        self.format = format
        self.write = write
    }

    /// One metadata value of every event.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes a line.
    package func log(event: LogEvent) {
        let all = metadata.isEmpty ? event.metadata ?? [:] : metadata.merging(event.metadata ?? [:]) { $1 }
        let pairs = all.sorted { $0.key < $1.key }
        let line = LogLine(time: .now(), level: event.level, label: label, message: "\(event.message)", pairs: pairs)
        write(line.text(format))
    }
}
