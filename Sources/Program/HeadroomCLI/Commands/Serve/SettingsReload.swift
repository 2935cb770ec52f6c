import Admission
import Fetching
import HeadroomAPI
import Logging
import Synchronization

/// Reloads the settings while the service runs, and applies the reloadable ones: keys, secrets and allow lists.
///
/// A reload is atomic: if one value is invalid, all settings stay as they were. Files are read on a thread of their
/// own, so that a file system that does not respond delays neither signals nor a later reload.
final class SettingsReload: Sendable {
    /// The time after which a reload that is still reading files is abandoned.
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
    ///   - isOver: Called when a reload has been applied, refused or abandoned.
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
        case .refused(let hanging): refuse("\(hanging) earlier reloads still wait for files")
        }
    }

    private func refuse(_ reason: String) {
        service.metrics.settingsNotReloaded()
        logger.error("settings not reloaded", metadata: ["reason": "\(reason)"])
    }

    private func apply(_ settings: ServeSettings) {
        let old = current.withLock(\.self)
        if let reason = settings.refusal(after: old) { return refuse(reason) }
        service.adopt(settings.service)
        let changes = settings.changes(after: old)
        // Changes that need a restart are reported again at the next reload.
        let effective = zip(old.effective, settings.effective).map { $1.isReloadable ? $1 : $0 }
        current.withLock { current in
            current = settings
            current.effective = effective
        }
        service.metrics.settingsReloaded()
        for name in changes.others { logger.warning("a restart is needed", metadata: ["setting": "\(name)"]) }
        let names = changes.reloadable
        logger.notice(
            "settings reloaded",
            metadata: ["changed": "\(names.isEmpty ? "nothing" : names.joined(separator: ","))"]
        )
    }
}

/// The guard against reloads that open the service because a line or a file was lost.
///
/// Only a restart applies such settings, because an operator attends it.
extension ServeSettings {
    /// Why a reload must not apply these settings; nil if it may.
    func refusal(after old: ServeSettings) -> String? {
        // A failed write or a full disk may leave an empty file.
        if old.hasFileEntries, !hasFileEntries {
            return "the settings file has no settings any more, and only a restart can remove all of them"
        }
        if !old.service.access.isOpen, service.access.isOpen {
            return "no keys, secrets or tenants are left, and only a restart can open a service"
        }
        if old.service.fetching.allowedHosts != nil, service.fetching.allowedHosts == nil {
            let sources = service.fetching.allowsPrivateSources ? "all hosts, also private ones" : "all public hosts"
            return "allow-hosts is missing, and only a restart can allow \(sources); none allows no host"
        }
        if old.service.fetching.outlet.proxy != nil, service.fetching.outlet.proxy == nil {
            return "fetch-proxy is missing, and only a restart can connect to origins directly"
        }
        if let reason = refusalOfTenants(after: old) ?? refusalOfPresets(after: old) { return reason }
        return refusalOfGrammars(after: old)
    }

    /// The settings that differ from others, by whether a reload applies them.
    func changes(after old: ServeSettings) -> (reloadable: [String], others: [String]) {
        let files = changedFiles(after: old)
        let changed = zip(old.effective, effective).filter { $0.value != $1.value || files.contains($1.name) }.map(\.1)
        return (changed.filter(\.isReloadable).map(\.name), changed.filter { !$0.isReloadable }.map(\.name))
    }

    /// The settings that are paths of files whose content differs from that of before.
    private func changedFiles(after old: ServeSettings) -> Set<String> {
        let (before, after) = (old.service.fetching, service.fetching)
        var names: Set<String> = []
        func add(_ name: String, if hasChanged: Bool) {
            if hasChanged { names.insert(name) }
        }
        add(Settings.tenantsFile.name, if: old.service.access.tenants != service.access.tenants)
        add(Settings.presets.name, if: old.service.presets != service.presets)
        add(Settings.missingPicture.name, if: old.service.missingPicture != service.missingPicture)
        add(Settings.fetchHeadersFile.name, if: before.hostFields != after.hostFields)
        add(Settings.fetchCAFile.name, if: before.outlet.authorities != after.outlet.authorities)
        add(Settings.fetchClientCertificate.name, if: before.outlet.identity != after.outlet.identity)
        return names
    }
}
