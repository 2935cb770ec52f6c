import ArgumentParser

/// The options of `headroom serve` about who may ask, and who may be asked, as they were typed.
struct AccessOptions: ParsableArguments {
    @OptionGroup var keys: SigningKeyOptions

    @Option(
        help: ArgumentHelp(
            "A file with bearer secrets, each of which lets a client ask for anything. (default: none)",
            valueName: "path"
        )
    )
    var bearerSecretsFile: String?

    @Option(
        help: ArgumentHelp(
            """
            Origins whose pages may read answers with scripts: https://example.com, several with commas between, or *. \
            (default: none)
            """,
            valueName: "list"
        )
    )
    var corsOrigins: String?

    @Option(
        help: ArgumentHelp(
            """
            Hosts that pictures may be fetched from: example.com, *.example.com, example.com:8443, several with commas \
            between. (default: all that are public)
            """,
            valueName: "list"
        )
    )
    var allowHosts: String?
}

/// Where the keys are, for those who check signatures and those who make them.
struct SigningKeyOptions: ParsableArguments {
    /// The setting's name; the variable of that name holds the keys themselves.
    static let setting = "signing-keys"

    @Option(
        help: ArgumentHelp("A file with the keys of signed requests. (default: none)", valueName: "path")
    )
    var signingKeysFile: String?
}
