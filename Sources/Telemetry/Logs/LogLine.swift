import Glibc
package import Logging

/// The formatted line of one log event.
package struct LogLine {
    /// The longest value in bytes before escaping: untrusted values must not fill the disk.
    package static let maxValueBytes = 2048

    private let time: LogTime
    private let level: Logger.Level
    private let label: String
    private let message: String
    private let pairs: [(key: String, value: Logger.MetadataValue)]

    /// A line with its metadata in the given order.
    package init(
        time: LogTime,
        level: Logger.Level,
        label: String,
        message: String,
        pairs: [(key: String, value: Logger.MetadataValue)]
    ) {
        self.time = time
        self.level = level
        self.label = label
        self.message = message
        self.pairs = pairs
    }

    /// The line with its newline.
    package func text(_ format: LogFormat) -> String {
        switch format {
        case .text: plain
        case .json: json
        }
    }

    private var plain: String {
        var line = "\(time) \(level.rawValue) \(label): "
        // The message is a constant, but escaped all the same.
        QuotedText.appendEscaped(message, to: &line)
        for (key, value) in pairs {
            line += " "
            QuotedText.appendWord(key, to: &line)
            line += "="
            QuotedText.appendWord(Self.words(value), to: &line)
        }
        line += "\n"
        return line
    }

    private var json: String {
        var line = #"{"time":"\#(time)","level":"\#(level.rawValue)","logger":"#
        QuotedText.append(label, to: &line)
        line += #","message":"#
        QuotedText.append(message, to: &line)
        for (key, value) in pairs {
            line += ","
            QuotedText.append(Self.members.contains(key) ? "_\(key)" : key, to: &line)
            line += ":"
            Self.append(value, to: &line)
        }
        line += "}\n"
        return line
    }

    /// The reserved member names of every line.
    private static let members: Set<String> = ["time", "level", "logger", "message"]

    private static func words(_ value: Logger.MetadataValue) -> String { shortened("\(value)") }

    private static func append(_ value: Logger.MetadataValue, to line: inout String) {
        if case .stringConvertible(let value) = value {
            switch value {
            case let number as Int:
                line += "\(number)"
                return
            case let number as Double where number.isFinite:
                line += "\(number)"
                return
            case let flag as Bool:
                line += "\(flag)"
                return
            default: break
            }
        }
        QuotedText.append(words(value), to: &line)
    }

    private static func shortened(_ text: String) -> String {
        guard text.utf8.count > maxValueBytes else { return text }
        let end = text.utf8.index(text.startIndex, offsetBy: maxValueBytes)
        // Slicing by scalars rounds an index inside of one down.
        return String(text.unicodeScalars[..<end]) + "…"
    }
}

/// The format of log lines.
package enum LogFormat: String, CaseIterable, Sendable {
    /// Time, level, label, message, and metadata as `name=value`; for people, and for grep.
    case text
    /// One JSON object (RFC 8259), for log collectors.
    case json
}

/// A time in the format of RFC 3339, in UTC with milliseconds: `2026-03-01T08:15:30.250Z`.
package struct LogTime: CustomStringConvertible, Sendable {
    /// The text.
    package let description: String

    /// A time in seconds and nanoseconds after 1970.
    package init(seconds: Int, nanoseconds: Int) {
        var seconds = seconds
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func padded(_ number: Int32, _ count: Int = 2) -> String {
            let digits = "\(number)"
            return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
        }
        let date = "\(padded(parts.tm_year + 1900, 4))-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
        let clock = "\(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec))"
        description = "\(date)T\(clock).\(padded(Int32(nanoseconds / 1_000_000), 3))Z"
    }

    /// The current time.
    package static func now() -> LogTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return LogTime(seconds: time.tv_sec, nanoseconds: time.tv_nsec)
    }
}
