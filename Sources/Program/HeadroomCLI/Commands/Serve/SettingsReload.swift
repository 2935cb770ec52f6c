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

extension ServeSettings {
    /// Reads and validates an environment, without options.
    ///
    /// - Throws: An error with every invalid value.
    package init(environment: [String: String]) throws {
        try self.init(ServeOptions.parse([]), environment: environment)
    }

    /// The names of all settings, and whether a reload applies them.
    package var names: [(name: String, isReloadable: Bool)] { effective.map { ($0.name, $0.isReloadable) } }
}

/// Rejects reloads that would open the service because a line or a file was lost.
///
/// Only a restart applies these settings, because an operator supervises a restart.
extension ServeSettings {
    /// The reason why a reload must not apply these settings; nil if it may.
    func refusal(after old: ServeSettings) -> String? {
        // A failed write or a full disk may leave an empty file.
        if old.hasFileEntries, !hasFileEntries {
            return "a reload cannot remove all settings from the settings file; restart to do that"
        }
        if !old.service.reloadable.access.isOpen, service.reloadable.access.isOpen {
            return
                "a reload cannot remove all keys, secrets and tenants, because every client could then use the service; "
                + "restart to do that"
        }
        if old.service.reloadable.fetchRules.allowedHosts != nil,
            service.reloadable.fetchRules.allowedHosts == nil
        {
            let sources =
                service.fetching.allowsPrivateSources ? "all hosts, including private ones" : "all public hosts"
            return "a reload cannot remove allow-hosts; restart to allow \(sources), or set none to allow no host"
        }
        if old.service.reloadable.fetchRules.deniedHosts != nil,
            service.reloadable.fetchRules.deniedHosts == nil
        {
            return "a reload cannot remove deny-hosts; restart to deny no host, or set none"
        }
        if old.service.reloadable.fetchRules.outlet.proxy != nil,
            service.reloadable.fetchRules.outlet.proxy == nil
        {
            return "a reload cannot remove fetch-proxy; restart to connect to origins directly"
        }
        if let reason = refusalOfTenants(after: old) ?? refusalOfPresets(after: old) { return reason }
        return refusalOfURLFormats(after: old)
    }

    /// The names of the settings that differ from `old`, grouped by whether a reload applies them.
    package func changes(after old: ServeSettings) -> (reloadable: [String], others: [String]) {
        let files = changedFiles(after: old)
        let changed = zip(old.effective, effective).filter { $0.value != $1.value || files.contains($1.name) }.map(\.1)
        let (before, now) = (old.service.converters, service.converters)
        let hasOtherConverters = before.byFormat != now.byFormat || before.byVideoFormat != now.byVideoFormat
        let others = changed.filter { !$0.isReloadable }.map(\.name)
        return (
            changed.filter(\.isReloadable).map(\.name), others + (hasOtherConverters ? [ConverterEntries.name] : [])
        )
    }

    /// File settings whose file content has changed since the last load.
    private func changedFiles(after old: ServeSettings) -> Set<String> {
        let (before, after) = (old.service.reloadable, service.reloadable)
        let (outlet, newOutlet) = (before.fetchRules.outlet, after.fetchRules.outlet)
        var names: Set<String> = []
        func add(_ name: String, if hasChanged: Bool) {
            if hasChanged { names.insert(name) }
        }
        add(Settings.tenantsFile.name, if: before.access.tenants != after.access.tenants)
        add(Settings.defaultParameters.name, if: before.defaults != after.defaults)
        add(Settings.presets.name, if: before.presets != after.presets)
        add(Settings.missingImage.name, if: before.missingImage != after.missingImage)
        add(Settings.responseHeadersFile.name, if: before.fixedFields != after.fixedFields)
        add(Settings.fetchHeadersFile.name, if: before.fetchRules.hostFields != after.fetchRules.hostFields)
        add(Settings.fetchCAFile.name, if: outlet.authorities != newOutlet.authorities)
        add(Settings.fetchClientCertificate.name, if: outlet.identity != newOutlet.identity)
        return names
    }
}
