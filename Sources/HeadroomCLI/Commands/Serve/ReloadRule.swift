import Fetching
import HeadroomAPI

/// What a reload must not do: open the service to more than before because a line or a file was lost.
///
/// A restart applies such settings, because somebody then looks at the service.
extension ServeSettings {
    /// Why these settings must not replace others while the service runs; nil if they may.
    func refusal(after old: ServeSettings) -> String? {
        // An empty file is what a failed write or a full disk leaves.
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
        if let reason = refusalOfTenants(after: old) ?? refusalOfPresets(after: old) { return reason }
        let opened = service.grammars.unsigned.subtracting(old.service.grammars.unsigned)
        guard opened.isEmpty else {
            let names = opened.map(\.rawValue).sorted().joined(separator: ",")
            return "no keys are left for \(names), and only a restart can open its addresses"
        }
        return nil
    }

    /// The settings that differ from others, by whether a reload applies them.
    func changes(after old: ServeSettings) -> (reloadable: [String], others: [String]) {
        let tenants = Settings.tenantsFile.name
        let haveTenantsChanged = old.service.access.tenants != service.access.tenants
        let havePresetsChanged = old.service.presets != service.presets
        let changed = zip(old.effective, effective).filter { old, new in
            // The file may have other content.
            old.value != new.value || new.name == tenants && haveTenantsChanged
                || new.name == Settings.presets.name && havePresetsChanged
        }.map(\.1)
        return (changed.filter(\.isReloadable).map(\.name), changed.filter { !$0.isReloadable }.map(\.name))
    }
}
