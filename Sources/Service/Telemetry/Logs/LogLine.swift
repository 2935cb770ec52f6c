import Encodings
import Glibc
package import Logging
import Synchronization

/// The line of one log event.
package struct LogLine {
    /// The maximum length of a value, in bytes before escaping, so that untrusted values cannot fill the disk.
    package static let maxValueBytes = 2048

    private let time: LogTime
    private let level: Logger.Level
    private let label: String
    private let message: String
    private let pairs: [(key: String, value: LogValue)]

    /// Creates a line that has not been formatted.
    ///
    /// - Parameters:
    ///   - time: The time of the event.
    ///   - level: The severity.
    ///   - label: The name of the logger.
    ///   - message: The text, which may be untrusted.
    ///   - pairs: The metadata, in the order of the output.
    package init(
        time: LogTime,
        level: Logger.Level,
        label: String,
        message: String,
        pairs: [(key: String, value: LogValue)]
    ) {
        self.time = time
        self.level = level
        self.label = label
        self.message = message
        self.pairs = pairs
    }

    /// Returns the line with its newline, in UTF-8.
    package func bytes(_ format: LogFormat) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(512)
        switch format {
        case .text: appendPlain(to: &line)
        case .json: appendJSON(to: &line)
        }
        return line
    }

    private func appendPlain(to line: inout [UInt8]) {
        line += time.description.utf8
        line.append(UInt8(ascii: " "))
        line += level.rawValue.utf8
        line.append(UInt8(ascii: " "))
        line += label.utf8
        line += ": ".utf8
        // Messages should be constants, but they are escaped anyway.
        QuotedText.appendEscaped(message, to: &line)
        for (key, value) in pairs {
            line.append(UInt8(ascii: " "))
            QuotedText.appendWord(key, to: &line)
            line.append(UInt8(ascii: "="))
            QuotedText.appendWord(Self.shortened(value.description), to: &line)
        }
        line.append(UInt8(ascii: "\n"))
    }

    private func appendJSON(to line: inout [UInt8]) {
        line += #"{"time":""#.utf8
        line += time.description.utf8
        line += #"","level":""#.utf8
        line += level.rawValue.utf8
        line += #"","logger":"#.utf8
        QuotedText.append(label, to: &line)
        line += #","message":"#.utf8
        QuotedText.append(message, to: &line)
        for (key, value) in pairs {
            line.append(UInt8(ascii: ","))
            QuotedText.append(Self.members.contains(key) ? "_\(key)" : key, to: &line)
            line.append(UInt8(ascii: ":"))
            if value.isLiteral {
                line += value.description.utf8
            } else {
                QuotedText.append(Self.shortened(value.description), to: &line)
            }
        }
        line += "}\n".utf8
    }

    /// The reserved member names that every line has.
    private static let members = ["time", "level", "logger", "message"]

    private static func shortened(_ text: String) -> String {
        guard text.utf8.count > maxValueBytes else { return text }
        let end = text.utf8.index(text.startIndex, offsetBy: maxValueBytes)
        // Slicing a view of scalars rounds an index inside a scalar down.
        return String(text.unicodeScalars[..<end]) + "…"
    }
}

/// The format of log lines.
package enum LogFormat: String, CaseIterable, Sendable {
    /// Time, level, label, message, and metadata as `name=value`.
    ///
    /// For people and for grep.
    case text
    /// One JSON object (RFC 8259), for log collectors.
    case json
}

/// A time in the format of RFC 3339, in UTC with milliseconds: `2026-03-01T08:15:30.250Z`.
package struct LogTime: CustomStringConvertible, Sendable {
    package let description: String

    /// The text of the last formatted second, up to the decimal point.
    ///
    /// Most lines are within the same second as the previous line.
    private static let latest = Mutex<(second: Int, text: String)>((Int.min, ""))

    /// Creates a time in seconds and nanoseconds after 1970.
    package init(seconds: Int, nanoseconds: Int) {
        let second = Self.latest.withLock { latest in
            if latest.second != seconds { latest = (seconds, UTCTime(seconds: seconds).extended) }
            return latest.text
        }
        let milliseconds = "\(nanoseconds / 1_000_000)"
        description = "\(second).\(String(repeating: "0", count: max(0, 3 - milliseconds.utf8.count)))\(milliseconds)Z"
    }

    /// Returns the current time from the real-time clock.
    package static func now() -> LogTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return LogTime(seconds: time.tv_sec, nanoseconds: time.tv_nsec)
    }
}
