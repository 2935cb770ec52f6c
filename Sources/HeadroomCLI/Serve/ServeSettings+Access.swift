import HeadroomAPI

extension ServeSettings {
    /// Who may ask for pictures.
    static func access(_ options: AccessOptions, _ reader: inout SettingsReader) -> AccessPolicy {
        AccessPolicy(
            signingKeys: reader.secrets(Settings.signingKeys, file: options.keys.signingKeysFile),
            bearerSecrets: reader.secrets(Settings.bearerSecrets, file: options.bearerSecretsFile)
        )
    }
}
