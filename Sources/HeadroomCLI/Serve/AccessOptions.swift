import ArgumentParser

/// The options of `headroom serve` about who may ask, and who may be asked, as they were typed.
struct AccessOptions: ParsableArguments {
    @OptionGroup var keys: SigningKeyOptions
    @Option(Settings.bearerSecrets.file) var bearerSecretsFile: String?
    @Option(Settings.corsOrigins) var corsOrigins: String?
    @Option(Settings.allowHosts) var allowHosts: String?
}

/// Where the keys are, for those who check signatures and those who make them.
struct SigningKeyOptions: ParsableArguments {
    @Option(Settings.signingKeys.file) var signingKeysFile: String?
}
