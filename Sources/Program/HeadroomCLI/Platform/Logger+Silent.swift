import Logging

extension Logger {
    /// A logger that writes nothing: results say what happened.
    static let silent = Logger(label: "headroom") { _ in SwiftLogNoOpLogHandler() }
}
