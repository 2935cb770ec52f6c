import ArgumentParser
import Fetching
import HeadroomAPI
import Workers

extension ServeSettings {
    /// Reads and validates an environment, without options.
    ///
    /// - Throws: An error with every invalid value.
    package init(environment: [String: String]) throws {
        try self.init(ServeOptions.parse([]), environment: environment)
    }

    /// The names of all settings, and whether a reload applies them.
    package var names: [(name: String, isReloadable: Bool)] { effective.map { ($0.name, $0.isReloadable) } }

    /// The reason why a reload must not apply these settings; nil if it may.
    ///
    /// It rejects reloads that would open the service because a line or a file was lost. Only a restart applies these
    /// settings, because an operator supervises a restart.
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
