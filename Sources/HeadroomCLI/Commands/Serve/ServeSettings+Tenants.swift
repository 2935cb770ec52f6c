import HeadroomAPI

extension ServeSettings {
    /// The tenants of a file, besides the service's own keys and secrets.
    static func tenants(_ option: String?, besides access: AccessPolicy, _ reader: inout SettingsReader) -> TenantSet {
        guard let path = reader.value(Settings.tenantsFile, option) else { return TenantSet() }
        let origin = reader.given(Settings.tenantsFile.name, option)?.origin
        let name = "\(origin?.spelling(of: Settings.tenantsFile.name) ?? Settings.tenantsFile.name)=\(path)"
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
