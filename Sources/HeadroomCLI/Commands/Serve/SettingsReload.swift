import HeadroomAPI
import Logging
import Synchronization

/// Reloads the settings while the service runs, and applies the reloadable ones: keys, secrets and allow lists.
///
/// A reload is atomic: if one value is invalid, all settings stay as they were.
final class SettingsReload: Sendable {
    private let read: @Sendable () throws(CommandFailure) -> ServeSettings
    private let service: HeadroomService
    private let logger: Logger
    private let current: Mutex<ServeSettings>

    /// Creates the reload without reading anything.
    ///
    /// - Parameters:
    ///   - current: The current settings of the service.
    ///   - service: The service to update.
    ///   - logger: Receives the names of changed settings, and never a secret.
    ///   - read: Reads the current options, environment and files.
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

    /// Reads and applies the settings; blocks while files are read.
    func run() {
        let settings: ServeSettings
        do {
            settings = try read()
        } catch {
            for reason in error.reasons { logger.error("settings not reloaded", metadata: ["reason": "\(reason)"]) }
            return
        }
        let old = current.withLock(\.self)
        // A line lost from a file must not open the service to everyone.
        guard old.service.access.isOpen || !settings.service.access.isOpen else {
            let reason = "no signing keys and no bearer secrets are left, and only a restart can open a service"
            logger.error("settings not reloaded", metadata: ["reason": "\(reason)"])
            return
        }
        // The same holds for the keys of another service's addresses.
        let opened = settings.service.grammars.unsigned.subtracting(old.service.grammars.unsigned)
        guard opened.isEmpty else {
            let names = opened.map(\.rawValue).sorted().joined(separator: ",")
            let reason = "no keys are left for \(names), and only a restart can open its addresses"
            logger.error("settings not reloaded", metadata: ["reason": "\(reason)"])
            return
        }
        service.adopt(settings.service)
        let changed = zip(old.effective, settings.effective).filter { $0.value != $1.value }.map(\.1)
        // Changes that need a restart are reported again at the next reload.
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
