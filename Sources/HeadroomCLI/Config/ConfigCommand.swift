import ArgumentParser
import Foundation

/// `headroom config`: what `headroom serve` would make of the same options, environment and file.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Prints every setting, and where it came from.",
        discussion: """
            Takes what headroom serve takes, and prints what that would work with: each setting, its value, and the \
            option, the variable, the line of the file or the default that it came from. Keys and secrets are not shown. \
            What is wrong is reported as by headroom serve, all at once.

            The output is a settings file itself: --config reads it.

            EXAMPLES
              headroom config
              headroom config --config headroom.yaml --port 9000
              headroom config --max-pixels 1000000 > headroom.yaml
            """
    )

    @OptionGroup var options: ServeOptions

    func run() throws {
        let settings = try ServeSettings(options, environment: ProcessInfo.processInfo.environment)
        try StandardStream.output.write(try SettingsListing(settings.effective).text)
    }
}
