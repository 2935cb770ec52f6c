/// How a line of the log is written.
package enum LogFormat: String, CaseIterable, Sendable {
    /// Time, level, label, message, and what belongs to it as `name=value`; for people, and for grep.
    case text
    /// One JSON object (RFC 8259), for what collects logs.
    case json
}
