import ArgumentParser
import Foundation

/// `headroom config`: prints the effective settings of `headroom serve` with the same options, environment and file.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Prints every setting and its origin.",
        discussion: """
            Accepts the options of headroom serve. Prints each setting, its value, and its origin: an option, a variable, a \
            line of the file, or the default. Keys and secrets are not shown. Reports all errors at once, as headroom \
            serve does.

            The output is a valid settings file for --config.

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
