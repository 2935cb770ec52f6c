import HeadroomAPI
import Logging
import Synchronization

/// Reads the settings again while the service runs, and takes over what may change: keys, secrets and lists of what is
/// allowed.
///
/// New settings hold as a whole or not at all: while one value is wrong, all stay as they were.
final class SettingsReload: Sendable {
    private let read: @Sendable () throws(CommandFailure) -> ServeSettings
    private let service: HeadroomService
    private let logger: Logger
    private let current: Mutex<ServeSettings>

    /// Nothing is read yet.
    ///
    /// - Parameters:
    ///   - current: What the service was made with.
    ///   - service: What is to change.
    ///   - logger: Gets the names of what has changed, and never a secret.
    ///   - read: Reads options, environment and files as they are now.
    init(
        of current: ServeSettings,
        service: HeadroomService,
        logger: Logger,
        read: @escaping @Sendable () throws(CommandFailure) -> ServeSettings
    ) {
        self.read = read
        self.service = service
        self.logger = logger
        self.current = Mutex(current)
    }

    /// Reads and takes over; blocks while files are read.
    func run() {
        let settings: ServeSettings
        do {
            settings = try read()
        } catch {
            for reason in error.reasons { logger.error("settings not reloaded", metadata: ["reason": "\(reason)"]) }
            return
        }
        let old = current.withLock(\.self)
        // Whoever loses a line of a file does not mean to let everybody in.
        guard old.service.access.isOpen || !settings.service.access.isOpen else {
            let reason = "no signing keys and no bearer secrets are left, and only a start opens a service"
            logger.error("settings not reloaded", metadata: ["reason": "\(reason)"])
            return
        }
        service.adopt(settings.service)
        let changed = zip(old.effective, settings.effective).filter { $0.value != $1.value }.map(\.1)
        // What needs a restart is told again at the next reload, for it still does not hold.
        let effective = zip(old.effective, settings.effective).map { $1.isReloadable ? $1 : $0 }
        current.withLock { current in
            current = settings
            current.effective = effective
        }
        for setting in changed where !setting.isReloadable {
            logger.warning("a restart is needed", metadata: ["setting": "\(setting.name)"])
        }
        let names = changed.filter(\.isReloadable).map(\.name)
        logger.notice(
            "settings reloaded",
            metadata: ["changed": "\(names.isEmpty ? "nothing" : names.joined(separator: ","))"]
        )
    }
}
