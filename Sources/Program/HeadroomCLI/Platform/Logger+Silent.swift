import Logging

extension Logger {
    /// A logger that writes nothing, because results already report all events.
    static let silent = Logger(label: "headroom") { _ in SwiftLogNoOpLogHandler() }
}
