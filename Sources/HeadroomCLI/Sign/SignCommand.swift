import ArgumentParser
import Foundation
import HeadroomAPI

/// `headroom sign`: the address of a picture with a signature.
struct SignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Signs the address of a picture.",
        discussion: """
            Prints the address with a signature, for a service that answers signed requests only. Parameters stand in the \
            address, percent-encoded, or behind it, as they are; they are checked as the service would.

            The first of the keys signs. They are those of headroom serve: the variable HEADROOM_SIGNING_KEYS, or the file \
            of --signing-keys-file, with blanks or commas between. A good key comes from: openssl rand -hex 32

            EXAMPLES
              headroom sign /frame url=https://example.com/a.jpg aspect=1:1 width=400
              headroom sign 'https://img.example.com/frame?zoom=1' url=https://example.com/a.jpg
              headroom sign /frame url=https://example.com/a.jpg --expires-in 7d
              headroom sign /frame aspect=1:1 --upload --max-bytes 5000000 --expires-in 10m
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
        help: ArgumentHelp("How long the signature holds: 90s, 15m, 12h, 30d. (default: for ever)", valueName: "time")
    )
    var expiresIn: String?

    @Flag(help: "Sign a POST, which sends the picture along.")
    var upload = false

    @Option(help: ArgumentHelp("Bytes that the body of the upload may have.", valueName: "n"))
    var maxBytes: String?

    @Option(help: ArgumentHelp("The only body that the upload may have.", valueName: "file"))
    var body: String?

    @OptionGroup var file: SettingsFileOptions
    @OptionGroup var keys: SigningKeyOptions

    func run() throws {
        let request = try SigningRequest(self, environment: ProcessInfo.processInfo.environment)
        try StandardStream.output.write("\(request.signedAddress)\n")
    }
}
