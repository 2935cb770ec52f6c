import HeadroomAPI

extension SettingsReader {
    /// The largest file of secrets, in bytes: the largest number of secrets, at their longest, with line ends.
    private static let maxSecretsBytes = 8192

    /// Reads secrets from the variable of a setting, from the settings file, or from a file of their own.
    ///
    /// Error messages do not contain them.
    ///
    /// - Parameters:
    ///   - setting: The setting to read.
    ///   - option: The option for the file.
    /// - Returns: An empty array if neither is set.
    mutating func secrets(_ setting: SecretSetting, file option: String?) -> [Secret] {
        let given = given(setting.name, nil)
        let place = given.map { $0.origin.spelling(of: setting.name) }
        let path = value(setting.file, option)
        var secrets: [Secret] = []
        var source = "default"
        if let path {
            let origin = self.given(setting.file.name, option)?.origin.spelling(of: setting.file.name) ?? ""
            source = path
            if let place {
                refuse("\(origin)=\(path) is not valid: expected none while \(place) is set.")
            } else if let bytes = bytes(of: path, atMost: Self.maxSecretsBytes, for: "\(origin)=\(path)") {
                secrets = list(String(decoding: bytes, as: UTF8.self), setting.lengths, of: "\(origin)=\(path)")
            }
        } else if let given, let place {
            source = given.origin.place(of: setting.name, default: nil)
            secrets = list(given.text, setting.lengths, of: place)
        }
        note(
            EffectiveSetting(
                name: setting.name,
                value: secrets.isEmpty ? .none : .secrets(secrets),
                source: source,
                isReloadable: true
            )
        )
        return secrets
    }

    private mutating func list(_ text: String, _ lengths: ClosedRange<Int>, of origin: String) -> [Secret] {
        do {
            return try Secret.list(text, lengths: lengths)
        } catch {
            refuse("\(origin) is not valid: \(error.reason).")
            return []
        }
    }
}
