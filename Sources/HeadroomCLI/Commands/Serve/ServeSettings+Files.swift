import HeadroomAPI
import Requests

extension ServeSettings {
    /// The tenants of a file, besides the service's own keys and secrets.
    static func tenants(_ option: String?, besides access: AccessPolicy, _ reader: inout SettingsReader) -> TenantSet {
        guard let path = reader.value(Settings.tenantsFile, option) else { return TenantSet() }
        let name = reader.spelling(of: Settings.tenantsFile, option, path)
        guard let bytes = reader.bytes(of: path, atMost: TenantsFile.maxBytes, for: name) else { return TenantSet() }
        let file = TenantsFile(String(decoding: bytes, as: UTF8.self), path: path)
        for problem in file.problems { reader.refuse(problem) }
        guard file.problems.isEmpty else { return TenantSet() }
        do throws(TenantSet.ListError) {
            return try TenantSet(file.tenants, besides: access.signingKeys + access.bearerSecrets)
        } catch {
            reader.refuse("\(path) is not valid: \(error.reason).")
            return TenantSet()
        }
    }

    /// Why the tenants must not replace others while the service runs; nil if they may.
    func refusalOfTenants(after old: ServeSettings) -> String? {
        let tenants = service.access.tenants.all
        guard old.service.access.tenants.isEmpty || !tenants.isEmpty else {
            return "no tenants are left, and only a restart can remove all of them"
        }
        for before in old.service.access.tenants.all {
            guard let after = tenants.first(where: { $0.name == before.name }),
                let limit = after.lostLimit(since: before)
            else { continue }
            let lift = limit.hasPrefix("allow-") || limit == "presets" ? "\"*\"" : "unlimited"
            let what = "\(limit) of the tenant \(before.name)"
            return "\(what) is missing, and only a restart can remove it; \(lift) lifts it"
        }
        return nil
    }
}

extension ServeSettings {
    /// The presets of a file.
    ///
    /// - Parameters:
    ///   - options: The options.
    ///   - hasGrammars: Whether addresses of other services are turned on, whose parameters are free.
    ///   - reader: Collects errors.
    /// - Returns: The presets; none if there are errors.
    static func presets(
        _ options: PresetOptions,
        besideGrammars hasGrammars: Bool,
        _ reader: inout SettingsReader
    ) -> PresetSet {
        let path = reader.value(Settings.presets, options.presets)
        let isExclusive = reader.flag(Settings.onlyPresets, options.onlyPresets)
        guard let path else {
            if isExclusive { reader.refuse("only-presets is not valid without presets: expected a file of presets.") }
            return PresetSet()
        }
        if isExclusive, hasGrammars {
            reader.refuse(
                "only-presets is not valid with grammars, whose addresses have parameters: expected one of both."
            )
        }
        let name = reader.spelling(of: Settings.presets, options.presets, path)
        guard let bytes = reader.bytes(of: path, atMost: PresetsFile.maxBytes, for: name) else { return PresetSet() }
        let file = PresetsFile(String(decoding: bytes, as: UTF8.self), path: path)
        for problem in file.problems { reader.refuse(problem) }
        if isExclusive {
            for preset in file.presets
            where preset.values.contains(where: { $0.parameter == .format && $0.value == "html" }) {
                reader.refuse(
                    "\(path): preset \(preset.name) is not valid with only-presets: expected no format=html, whose addresses "
                        + "have sizes."
                )
            }
        }
        return file.problems.isEmpty ? PresetSet(file.presets, isExclusive: isExclusive) : PresetSet()
    }

    /// Why the presets must not replace others while the service runs; nil if they may.
    func refusalOfPresets(after old: ServeSettings) -> String? {
        if !old.service.presets.isEmpty, service.presets.isEmpty {
            return "no presets are left, and only a restart can remove all of them"
        }
        if old.service.presets.isExclusive, !service.presets.isExclusive {
            return "only-presets is missing, and only a restart can allow other parameters"
        }
        return nil
    }
}

extension ServeSettings {
    /// The stickers of a folder and the program's own.
    static func overlays(_ option: String?, _ reader: inout SettingsReader) -> OverlaySet {
        guard let folder = reader.value(Settings.overlays, option) else { return OverlaySet() }
        guard OverlayFolder.isFolder(folder) else {
            reader.refuse(Settings.overlays, option, Settings.overlays.expected)
            return OverlaySet()
        }
        do {
            return try OverlayFolder.overlays(folder)
        } catch {
            for reason in error.reasons { reader.refuse(reason) }
            return OverlaySet()
        }
    }
}
