/// The format of log lines.
package enum LogFormat: String, CaseIterable, Sendable {
    /// Time, level, label, message, and metadata as `name=value`; for people, and for grep.
    case text
    /// One JSON object (RFC 8259), for log collectors.
    case json
}
