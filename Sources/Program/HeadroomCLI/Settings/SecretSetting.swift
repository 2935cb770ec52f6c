import HeadroomAPI

/// The setting of secrets: in a variable, in the settings file, or in a separate file.
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
        file = Setting.path("\(name)-file", help).reloadable
    }
}
