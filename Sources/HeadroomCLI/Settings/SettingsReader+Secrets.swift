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
        secrets(setting, file: option, default: [], \.self) { text throws(Secret.ListError) in
            try Secret.list(text, lengths: setting.lengths)
        }
    }

    /// Reads the tokens of imgix' sources in the same way.
    mutating func tokens(_ setting: SecretSetting, file option: String?, of sources: ImgixSources) -> ImgixTokens {
        secrets(setting, file: option, default: ImgixTokens(), \.all) { text throws(Secret.ListError) in
            try ImgixTokens(text, of: sources)
        }
    }

    private mutating func secrets<Value>(
        _ setting: SecretSetting,
        file option: String?,
        default none: Value,
        _ all: (Value) -> [Secret],
        _ parse: (String) throws(Secret.ListError) -> Value
    ) -> Value {
        let given = given(setting.name, nil)
        let place = given.map { $0.origin.spelling(of: setting.name) }
        let path = self.value(setting.file, option)
        var value = none
        var source = "default"
        if let path {
            let origin = self.given(setting.file.name, option)?.origin.spelling(of: setting.file.name) ?? ""
            source = path
            if let place {
                refuse("\(origin)=\(path) is not valid: expected none while \(place) is set.")
            } else if let bytes = bytes(of: path, atMost: Self.maxSecretsBytes, for: "\(origin)=\(path)") {
                value = read(String(decoding: bytes, as: UTF8.self), of: "\(origin)=\(path)", parse) ?? none
            }
        } else if let given, let place {
            source = given.origin.place(of: setting.name, default: nil)
            value = read(given.text, of: place, parse) ?? none
        }
        let secrets = all(value)
        note(
            EffectiveSetting(
                name: setting.name,
                value: secrets.isEmpty ? .none : .secrets(secrets),
                source: source,
                isReloadable: true
            )
        )
        return value
    }

    private mutating func read<Value>(
        _ text: String,
        of origin: String,
        _ parse: (String) throws(Secret.ListError) -> Value
    ) -> Value? {
        do throws(Secret.ListError) {
            return try parse(text)
        } catch {
            refuse("\(origin) is not valid: \(error.reason).")
            return nil
        }
    }
}

/// The setting of secrets: in a variable, in the settings file, or in a file of their own.
///
/// All of these are read again at a reload. There is no option for the secrets themselves, because command lines are
/// visible to all users of a host.
struct SecretSetting: Sendable {
    /// The name of the variable and of the key in the settings file.
    let name: String
    /// The path of a file with the secrets: the same name followed by `-file`.
    let file: Setting<String?>
    /// The accepted length of a secret, in characters.
    let lengths: ClosedRange<Int>

    init(_ name: String, _ help: String, lengths: ClosedRange<Int> = Secret.lengths) {
        self.name = name
        self.lengths = lengths
        file =
            .optional(
                "\(name)-file",
                help,
                default: "none",
                expected: "a path",
                valueName: "path",
                parse: { $0.isEmpty ? nil : $0 }
            ).reloadable
    }
}
