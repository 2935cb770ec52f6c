import Logging
import Synchronization

/// A log handler that stores the level and message of each event.
final class LineRecorder: LogHandler {
    private let recorded = Mutex<[String]>([])

    var lines: [String] { recorded.withLock(\.self) }

    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    var logLevel: Logger.Level {
        get { .info }
        set {}
    }

    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) { recorded.withLock { $0.append("\(event.level) \(event.message)") } }
}
