import ArgumentParser
import Fetching
import FoundationEssentials
import Requests

/// `headroom health`: checks whether a service responds, for the health checks of container engines.
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Checks whether a running service is alive.",
        discussion: """
            Exits with 0 if /healthz of the service on this machine responds within two seconds, otherwise with 1. Reads \
            HEADROOM_HOST, HEADROOM_PORT, PORT and a settings file in the same way as headroom serve.

            EXAMPLES
              headroom health
              headroom health --port 8081
            """
    )

    @OptionGroup var file: SettingsFileOptions
    @Option(Settings.host) var host: String?
    @Option(Settings.port) var port: String?

    func run() async throws {
        var reader = SettingsReader(environment: ProcessInfo.processInfo.environment, config: file.config)
        let (host, port) = reader.endpoint(host: host, port: port)
        if port == 0, reader.errors.isEmpty {
            reader.refuse("port=0 is not valid: expected the port of the service.")
        }
        if !reader.errors.isEmpty { throw CommandFailure(reader.errors.joined(separator: "\n")) }

        let address = "http://\(Self.reachable(host)):\(port)/healthz"
        var configuration = Settings.fetching
        configuration.allowsPrivateSources = true
        configuration.timeout = .seconds(2)
        configuration.maxRedirects = 0
        do {
            _ = try await ImageFetcher(configuration: configuration).fetch(try SourceURL(address))
        } catch {
            throw CommandFailure("\(address) does not respond: \(error)")
        }
    }

    /// The host for a URL; a service that listens on every address is contacted through loopback.
    ///
    /// `::` also accepts IPv4, and `::1` does not exist if IPv6 is off.
    private static func reachable(_ host: String) -> String {
        switch host {
        case "0.0.0.0", "::": "127.0.0.1"
        default: host.contains(":") ? "[\(host)]" : host
        }
    }
}
