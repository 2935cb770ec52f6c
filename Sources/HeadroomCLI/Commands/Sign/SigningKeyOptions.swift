import ArgumentParser

/// The option for the signing keys, shared by the commands that verify and that create signatures.
struct SigningKeyOptions: ParsableArguments {
    @Option(Settings.signingKeys.file) var signingKeysFile: String?
}
