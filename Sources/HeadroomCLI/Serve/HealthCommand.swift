import ArgumentParser
import Foundation
import HeadroomAPI
import ImageSource

/// `headroom health`: whether a service answers, for container engines that ask by running a command.
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Asks a running service whether it is alive.",
        discussion: """
            Exits with 0 when /healthz of the service on this machine answers within two seconds, else with 1. \
            HEADROOM_HOST and HEADROOM_PORT are read as by headroom serve.

            EXAMPLES
              headroom health
              headroom health --port 8081
            """
    )

    @Option(help: "The address that the service listens on. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "Its TCP port. (default: 8080)")
    var port: String?

    func run() async throws {
        var reader = SettingsReader(environment: ProcessInfo.processInfo.environment)
        let host = reader.value("host", host, expected: "an address or a name") { $0.isEmpty ? nil : $0 }
        let port = reader.integer("port", port, in: 1...65_535, default: 8080)
        if !reader.errors.isEmpty { throw CommandFailure(reader.errors.joined(separator: "\n")) }

        let address = "http://\(Self.reachable(host ?? "127.0.0.1")):\(port)/healthz"
        var configuration = ImageFetcher.Configuration(userAgent: "Headroom/\(HeadroomVersion.current)")
        configuration.allowsPrivateSources = true
        configuration.timeout = .seconds(2)
        configuration.maxRedirects = 0
        do {
            _ = try await ImageFetcher(configuration: configuration).fetch(try SourceURL(address))
        } catch {
            throw CommandFailure("\(address) does not answer: \(error)")
        }
    }

    /// The host as a URL has it; a service that listens on every address is reached by loopback.
    private static func reachable(_ host: String) -> String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "[::1]"
        default: host.contains(":") ? "[\(host)]" : host
        }
    }
}
