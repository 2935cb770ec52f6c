package import Logging

/// Writes every log event as one line, with untrusted text escaped.
package struct LineLogHandler: LogHandler {
    /// The minimum level of written events.
    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]

    private let label: String
    private let format: LogFormat
    private let write: @Sendable ([UInt8]) -> Void

    /// Creates a handler.
    ///
    /// It calls `write` on the logging thread with each line in UTF-8, including its newline.
    package init(label: String, format: LogFormat, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.label = label
        self.format = format
        self.write = write
    }

    /// Returns the line that reports the number of dropped lines.
    ///
    /// - Parameters:
    ///   - count: The number of dropped lines.
    ///   - label: The label of the logger.
    ///   - format: The format of the line.
    /// - Returns: The line with its newline.
    package static func dropReport(_ count: Int, label: String, _ format: LogFormat) -> [UInt8] {
        LogLine(
            time: .now(),
            level: .warning,
            label: label,
            message: "log lines were dropped, because the log was not read in time",
            pairs: [(key: "lines", value: .integer(count))]
        ).bytes(format)
    }

    /// A metadata value that is part of every event.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let all = metadata.isEmpty ? event.metadata ?? [:] : metadata.merging(event.metadata ?? [:]) { $1 }
        let pairs = all.sorted { $0.key < $1.key }.map { (key: $0.key, value: LogValue($0.value)) }
        write("\(event.message)", pairs, level: event.level)
    }

    /// Writes a line with fields in the given order.
    ///
    /// Ignores ``logLevel`` and ``metadata``.
    ///
    /// A metadata dictionary would cost more than all other work for a line.
    package func write(_ message: String, _ pairs: [(key: String, value: LogValue)], level: Logger.Level) {
        write(LogLine(time: .now(), level: level, label: label, message: message, pairs: pairs).bytes(format))
    }
}
