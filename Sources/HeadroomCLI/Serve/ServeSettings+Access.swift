import HeadroomAPI
import ImageSource

extension ServeSettings {
    /// Who may ask for pictures.
    static func access(_ options: AccessOptions, _ reader: inout SettingsReader) -> AccessPolicy {
        AccessPolicy(
            signingKeys: reader.secrets(SigningKeyOptions.setting, file: options.keys.signingKeysFile),
            bearerSecrets: reader.secrets("bearer-secrets", file: options.bearerSecretsFile)
        )
    }

    /// Which pages may read answers with scripts.
    static func crossOrigin(_ options: AccessOptions, _ reader: inout SettingsReader) -> CrossOriginPolicy {
        reader.value(
            "cors-origins",
            options.corsOrigins,
            expected: "* or origins with commas between, such as https://example.com",
            CrossOriginPolicy.init
        ) ?? .none
    }

    /// Which hosts may be asked for pictures; nil for all.
    static func allowedHosts(_ options: AccessOptions, _ reader: inout SettingsReader) -> [HostPattern]? {
        reader.value(
            "allow-hosts",
            options.allowHosts,
            expected: "hosts with commas between, such as example.com, *.example.com or example.com:8443"
        ) { text in
            let patterns = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
                HostPattern(part.filter { $0 != " " })
            }
            return patterns.contains(nil) ? nil : patterns.compactMap(\.self)
        }
    }
}
