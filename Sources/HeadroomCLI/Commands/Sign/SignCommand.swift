import ArgumentParser
import Foundation
import Requests

/// `headroom sign`: adds a signature to a request URL.
struct SignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Signs a request URL.",
        discussion: """
            Prints the URL with a signature, for a service that accepts signed requests only. Parameters are part of the \
            URL, percent-encoded, or further arguments, without encoding. The command validates them like the service.

            The first key signs. The keys are those of headroom serve: the variable HEADROOM_SIGNING_KEYS, or the file of \
            --signing-keys-file, separated by blanks or commas. To generate a key: openssl rand -hex 32

            EXAMPLES
              headroom sign /frame url=https://example.com/a.jpg aspect=1:1 width=400
              headroom sign 'https://a.example/frame?zoom=1' url=https://b.example/b.jpg
              headroom sign /frame url=https://example.com/a.jpg --expires-in 7d
              headroom sign /frame aspect=1:1 --upload --max-upload 5000000
              headroom sign /faces --upload --body team.jpg
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The path that the service receives, such as /frame, or a URL with that path.",
            valueName: "address"
        )
    )
    var address: String

    @Argument(help: ArgumentHelp("Parameters, such as aspect=16:9.", valueName: "name=value"))
    var parameters: [String] = []

    @Option(
        help: ArgumentHelp("Validity of the signature: 90s, 15m, 12h, 30d. (default: unlimited)", valueName: "time")
    )
    var expiresIn: String?

    @Flag(help: "Sign a POST, which uploads the picture.")
    var upload = false

    @Option(help: ArgumentHelp("Maximum size of the upload in bytes.", valueName: "n"))
    var maxUpload: String?

    @Option(help: ArgumentHelp("Restrict the upload to the content of this file.", valueName: "file"))
    var body: String?

    @OptionGroup var file: SettingsFileOptions
    @OptionGroup var keys: SigningKeyOptions

    func run() throws {
        let request = try SigningRequest(self, environment: ProcessInfo.processInfo.environment)
        try StandardStream.output.write("\(request.signedAddress)\n")
    }
}

/// The option for the signing keys, shared by the commands that verify and that create signatures.
struct SigningKeyOptions: ParsableArguments {
    @Option(Settings.signingKeys.file) var signingKeysFile: String?
}
