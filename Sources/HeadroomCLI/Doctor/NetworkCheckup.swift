import Foundation
import HTTPServer
import HTTPTypes
import HeadroomAPI
import ImageSource
import Logging
import SharedCache

/// Whether the service can listen where it is to, and reach what it is to fetch.
struct NetworkCheckup {
    /// Where Debian's libcurl looks for the authorities that vouch for servers.
    private static let authorities = "/etc/ssl/certs/ca-certificates.crt"

    private let settings: ServeSettings
    private let urls: [String]
    private let logger: Logger

    init(_ settings: ServeSettings, urls: [String], logger: Logger) {
        self.settings = settings
        self.urls = urls
        self.logger = logger
    }

    /// One for each address and each URL, one for certificates, and one for a Redis.
    func findings() async -> [Finding] {
        var findings = settings.service.addresses.map(address)
        findings.append(certificates)
        if let redis = settings.service.caches.redis { findings.append(await shared(redis)) }
        let fetcher = ImageFetcher(configuration: settings.service.fetching, logger: logger)
        for url in urls { findings.append(await origin(url, fetcher)) }
        return findings
    }

    private func address(_ address: ListenAddress) -> Finding {
        let server = HTTPServer(handler: NoRequests(), logger: logger)
        defer { server.shutdown() }
        do {
            _ = try server.bind(to: address)
            return .ok("address", "\(address) is free.")
        } catch  where error.errno == EADDRINUSE {
            return .warn(
                "address",
                "\(address) is in use.",
                advice: "If headroom health says that this is not the service itself, choose another --port."
            )
        } catch {
            return .fail(
                "address",
                "\(error).",
                advice: "Choose a --host that this machine has, and a --port or --unix-socket that it may take."
            )
        }
    }

    private var certificates: Finding {
        let text = (try? LocalFile.read(Self.authorities)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let count = text.split(separator: "\n").count { $0 == "-----BEGIN CERTIFICATE-----" }
        guard count == 0 else { return .ok("certificates", "\(count) authorities are trusted for https.") }
        return .warn(
            "certificates",
            "There are none in \(Self.authorities).",
            advice: "Install the package ca-certificates, or no https URL can be fetched."
        )
    }

    private func shared(_ redis: RedisAddress) async -> Finding {
        guard let reason = await redis.probe() else { return .ok("redis", "\(redis) answers.") }
        return .warn(
            "redis",
            "\(redis): \(reason).",
            advice: "Check its address, its password, and any firewall on the way; the service works without it, alone."
        )
    }

    private func origin(_ text: String, _ fetcher: ImageFetcher) async -> Finding {
        let start = ContinuousClock.now
        do {
            let image = try await fetcher.fetch(try SourceURL(text))
            let milliseconds = Int((.now - start) / .milliseconds(1))
            return .ok("source", "\(text) has \(image.bytes.count) bytes, fetched in \(milliseconds) ms.")
        } catch {
            return .fail("source", "\(text): \(Self.reason(error)).", advice: Self.advice(error))
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error as? FetchError {
        case .invalidURL(let reason), .invalidResponse(let reason), .unresolved(let reason), .unreachable(let reason),
            .incomplete(let reason):
            reason
        case .blocked(let reason): "not allowed, \(reason)"
        case .notFound(let status), .refused(let status), .originError(let status): "status \(status)"
        case .tooLarge(let limit): "more than \(limit) bytes"
        case .timeout(let stage): "no answer in time, while waiting for the \(stage.rawValue)"
        case .tooManyRedirects(let limit): "more than \(limit) redirects"
        case .cancelled, .busy, nil: "\(error)"
        }
    }

    private static func advice(_ error: any Error) -> String {
        switch error as? FetchError {
        case .blocked: "Allow it with --allow-hosts or --allow-private-sources, if nobody is harmed by that."
        case .invalidURL: "Give the address of a picture, such as https://example.com/a.jpg."
        case .tooLarge: "Raise --max-source-bytes, or make the picture smaller."
        case .timeout: "Raise --connect-timeout or --fetch-timeout, or ask why it is slow."
        case .unresolved: "Check its name, and this machine's resolver."
        case .unreachable: "Check whether it is up, and any firewall on the way."
        default: "Ask for it with curl -v from here."
        }
    }
}

/// For a server that only finds out whether it could listen.
private struct NoRequests: HTTPHandler {
    func respond(to request: ServerRequest) async -> ServerResponse { ServerResponse(status: .serviceUnavailable) }

    func refusal(status: HTTPResponse.Status, detail: String) -> ServerResponse { ServerResponse(status: status) }
}
