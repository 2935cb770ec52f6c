import Admission
import ArgumentParser
import Fetching
import HeadroomAPI
import Logging
import Synchronization
import Workers

/// Reloads the settings while the service runs, and applies the settings in ``ReloadableSettings``.
///
/// A reload is atomic: if one value is invalid, all settings stay unchanged. Files are read on a separate thread, so
/// that a hanging file system delays neither signals nor a later reload.
final class SettingsReload: Sendable {
    /// The time limit for reading the files of a reload, after which it is abandoned.
    static let timeLimit = Duration.seconds(10)

    private let service: HeadroomService
    private let logger: Logger
    private let current: Mutex<ServeSettings>
    // Set once by the initialiser, because its handler needs `self`.
    private nonisolated(unsafe) var reading: TimedCall<Result<ServeSettings, CommandFailure>>?

    /// Creates the reload without reading anything.
    ///
    /// - Parameters:
    ///   - current: The current settings of the service.
    ///   - service: The service to update.
    ///   - logger: Receives the names of changed settings, and never a secret.
    ///   - isOver: Called when a reload was applied, rejected or abandoned.
    ///   - read: Reads the current options, environment and files.
    init(
        of current: ServeSettings,
        service: HeadroomService,
        logger: Logger,
        isOver: @escaping @Sendable () -> Void,
        read: @escaping @Sendable () throws(CommandFailure) -> ServeSettings
    ) {
        self.service = service
        self.logger = logger
        self.current = Mutex(current)
        reading = TimedCall(limit: Self.timeLimit) {
            Result { () throws(CommandFailure) in try read() }
        } handle: { [weak self] outcome in
            self?.handle(outcome)
            isOver()
        }
    }

    func start() { reading?.request() }

    private func handle(_ outcome: TimedCall<Result<ServeSettings, CommandFailure>>.Outcome) {
        switch outcome {
        case .returned(.success(let settings)): apply(settings)
        case .returned(.failure(let failure)): for reason in failure.reasons { refuse(reason) }
        case .timedOut: refuse("the files could not be read within \(Int(Self.timeLimit / .seconds(1))) seconds")
        case .refused(let hanging): refuse("\(hanging) earlier reloads are still waiting for files")
        }
    }

    private func refuse(_ reason: String) {
        service.metrics.settingsNotReloaded()
        logger.error("settings not reloaded", metadata: ["reason": "\(reason)"])
    }

    private func apply(_ settings: ServeSettings) {
        let old = current.withLock(\.self)
        if let reason = settings.refusal(after: old) { return refuse(reason) }
        service.adopt(settings.service.reloadable)
        let changes = settings.changes(after: old)
        // Changes that need a restart are reported again at the next reload.
        let effective = zip(old.effective, settings.effective).map { $1.isReloadable ? $1 : $0 }
        current.withLock { current in
            current = settings
            current.effective = effective
        }
        service.metrics.settingsReloaded()
        for sentence in settings.deprecated { logger.warning("\(sentence)") }
        for name in changes.others { logger.warning("a restart is needed", metadata: ["setting": "\(name)"]) }
        let names = changes.reloadable
        logger.notice(
            "settings reloaded",
            metadata: ["changed": "\(names.isEmpty ? "nothing" : names.joined(separator: ","))"]
        )
    }
}
