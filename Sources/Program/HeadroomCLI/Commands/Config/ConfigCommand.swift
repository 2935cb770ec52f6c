import ArgumentParser
import FoundationEssentials
import HeadroomAPI
import Requests
import YAML

/// `headroom config`: prints the effective settings of `headroom serve` with the same options, environment and file.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Prints every setting and its origin.",
        discussion: """
            Accepts the options of headroom serve. Prints each setting, its value, and its origin: an option, a variable, a \
            line of the file, or the default. Keys and secrets are not shown. Reports all errors at once, like headroom \
            serve.

            The output is a valid settings file for --config.

            With --check, a settings file is compared with the settings that are in use, those of --config, the \
            environment and the options: it prints what SIGHUP would change and what needs a restart. The exit status is \
            not 0 if the file has errors, or if a running service would refuse it because it opens the service.

            With --check-tenants, a file of tenants is compared in the same way.

            EXAMPLES
              headroom config --config headroom.yaml --check headroom.yaml.new
              headroom config
              headroom config --config headroom.yaml --port 9000
              headroom config --max-pixels 1000000 > headroom.yaml
            """
    )

    @OptionGroup var options: ServeOptions
    @Option("Checks a settings file before it replaces the file of --config.", value: "path")
    var check: String?
    @Option("Checks a tenants file before it replaces the current file.", value: "path")
    var checkTenants: String?

    func run() throws {
        if check != nil || checkTenants != nil { return try StandardStream.output.write(try report()) }
        let settings = try ServeSettings(options, environment: ProcessInfo.processInfo.environment)
        for sentence in settings.unknownVariables + settings.deprecated {
            StandardStream.error.writeLine("Warning: \(sentence)")
        }
        try StandardStream.output.write(try Self.listing(settings.effective + settings.mappings))
    }

    /// Reports the settings that a new settings file or tenants file would change.
    ///
    /// - Throws: A ``CommandFailure`` with all errors, or with the reason why a reload would be rejected.
    private func report() throws -> String {
        let environment = ProcessInfo.processInfo.environment
        let current = try ServeSettings(options, environment: environment)
        var options = options
        if let check { options.file.config = check }
        if let checkTenants { options.access.tenantsFile = checkTenants }
        let file = [check, checkTenants].compactMap(\.self).joined(separator: " with ")
        let new = try ServeSettings(options, environment: environment)
        for sentence in new.deprecated { StandardStream.error.writeLine("Warning: \(sentence)") }
        if let reason = new.refusal(after: current) { throw CommandFailure("a reload would reject \(file): \(reason)") }
        let changes = new.changes(after: current)
        func list(_ names: [String]) -> String { names.isEmpty ? "nothing" : names.joined(separator: ", ") }
        return """
            \(file) is valid.
            SIGHUP changes: \(list(changes.reloadable))
            a restart changes: \(list(changes.others))
            \(new.service.reloadable.access.isOpen ? "every client can use the service: no signing keys, bearer secrets or tenants are set\n" : "")
            """
    }
}

extension ConfigCommand {
    /// The column where comments start, unless a value is longer.
    private static let column = 34

    /// Settings in the format of a settings file, each with a comment that names its origin.
    ///
    /// - Throws: A ``CommandFailure`` for a value that YAML cannot represent.
    private static func listing(_ settings: [EffectiveSetting]) throws -> String {
        try settings.map { setting in
            let line =
                switch setting.value {
                case .text(let value): try Self.line(setting.name, value)
                // A comment, so that the listing remains a valid settings file without the secrets.
                case .secrets: "# \(setting.name): (set, hidden)"
                // Also a comment, because the file contains more than these keys.
                case .mapping(let keys): "# \(setting.name): (mapping: \(keys))"
                case .none: "\(setting.name):"
                }
            let gap = String(repeating: " ", count: max(1, column - line.count))
            return "\(line)\(gap)# \(setting.source)\n"
        }.joined()
    }

    /// A line of YAML, with quotes if the value needs them.
    private static func line(_ name: String, _ value: String) throws -> String {
        guard let line = YAMLText.entry(name, value) else {
            throw CommandFailure("\(name): expected a value that YAML can represent")
        }
        return line
    }
}
