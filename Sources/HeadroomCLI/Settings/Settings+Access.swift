import HeadroomAPI

/// Settings of who may ask.
extension Settings {
    static let signingKeys = SecretSetting("signing-keys", "A file with the keys of signed requests.")
    static let bearerSecrets = SecretSetting(
        "bearer-secrets",
        "A file with bearer secrets, each of which lets a client ask for anything."
    )
    static let corsOrigins = Setting<CrossOriginPolicy?>.optional(
        "cors-origins",
        "Origins whose pages may read answers with scripts: https://example.com, several with commas between, or *.",
        default: "none",
        expected: "* or origins with commas between, such as https://example.com",
        valueName: "list",
        parse: { CrossOriginPolicy($0) }
    ).reloadable
}

/// Secrets: in a variable, in the settings file, or in a file of their own.
///
/// All are read anew while the service runs.
/// There is no option for the secrets themselves, as everybody on a machine may read the command lines of processes.
struct SecretSetting: Sendable {
    /// Of the variable and of the key in the settings file.
    let name: String
    /// The file that has them: the same name with `-file` behind it.
    let file: Setting<String?>

    init(_ name: String, _ help: String) {
        self.name = name
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
