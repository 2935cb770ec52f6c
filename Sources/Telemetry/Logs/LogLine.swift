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
