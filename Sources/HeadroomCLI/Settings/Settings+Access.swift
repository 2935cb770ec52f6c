import HeadroomAPI

/// Settings of access control.
extension Settings {
    static let signingKeys = SecretSetting("signing-keys", "File with the keys for signed requests.")
    static let bearerSecrets = SecretSetting(
        "bearer-secrets",
        "File with bearer secrets; each one authorises every request."
    )
    static let tenantsFile = Setting<String?>.optional(
        "tenants-file",
        "File of tenants: clients with keys, hosts and limits of their own.",
        default: "none",
        expected: "a path",
        valueName: "path",
        text: { $0 },
        parse: { $0.isEmpty ? nil : $0 }
    ).reloadable
    static let corsOrigins = Setting<CrossOriginPolicy?>.optional(
        "cors-origins",
        "Origins that may read responses from scripts (CORS): https://example.com, a comma-separated list, or *.",
        default: "none",
        expected: "* or comma-separated origins such as https://example.com",
        valueName: "list",
        parse: { CrossOriginPolicy($0) }
    ).reloadable
}
