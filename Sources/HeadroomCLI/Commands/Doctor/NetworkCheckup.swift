import Caching
import Fetching
import Foundation
import HeadroomAPI
import HTTPServer
import HTTPTypes
import Logging
import Requests

/// Checks whether the service can listen on its addresses and fetch URLs.
struct NetworkCheckup {
    /// The file with the certificate authorities of Debian's libcurl.
    private static let authorities = "/etc/ssl/certs/ca-certificates.crt"

    private let settings: ServeSettings
    private let urls: [String]
    private let logger: Logger

    init(_ settings: ServeSettings, urls: [String], logger: Logger) {
        self.settings = settings
        self.urls = urls
        self.logger = logger
    }

    /// One finding for each address and each URL, one for certificates, and one for Redis.
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
                advice: "If headroom health reports that this is not the service itself, choose another --port."
            )
        } catch {
            return .fail(
                "address",
                "\(error).",
                advice: "Choose a --host of this machine, and a permitted --port or --unix-socket."
            )
        }
    }

    private var certificates: Finding {
        let text =
            (try? LocalFile.regular(Self.authorities, atMost: LocalFile.maxBytes)).map {
                String(decoding: $0, as: UTF8.self)
            } ?? ""
        let count = text.split(separator: "\n").count { $0 == "-----BEGIN CERTIFICATE-----" }
        guard count == 0 else { return .ok("certificates", "\(count) certificate authorities are trusted.") }
        return .warn(
            "certificates",
            "\(Self.authorities) contains no certificates.",
            advice: "Install the package ca-certificates; https URLs require it."
        )
    }

    private func shared(_ redis: RedisAddress) async -> Finding {
        guard let reason = await redis.probe() else { return .ok("redis", "\(redis) responds.") }
        return .warn(
            "redis",
            "\(redis): \(reason).",
            advice: "Check its address, its password and firewalls; without Redis, the caches are not shared."
        )
    }

    private func origin(_ text: String, _ fetcher: ImageFetcher) async -> Finding {
        let start = ContinuousClock.now
        do {
            let image = try await fetcher.fetch(try fetcher.url(text))
            let milliseconds = Int((.now - start) / .milliseconds(1))
            return .ok("source", "\(text) has \(image.bytes.count) bytes, fetched in \(milliseconds) ms.")
        } catch {
            return .fail("source", "\(text): \(Self.reason(error)).", advice: Self.advice(error))
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error as? FetchError {
        case .invalidURL(let reason), .invalidResponse(let reason), .unresolved(let reason), .unreachable(let reason),
            .nameServerFailed(let reason), .incomplete(let reason), .exhausted(let reason):
            reason
        case .storeRefused(let status, let reason): "status \(status), \(reason)"
        case .blocked(let reason): "not allowed, \(reason)"
        case .notFound(let status), .refused(let status), .originError(let status): "status \(status)"
        case .tooLarge(let limit): "more than \(limit) bytes"
        case .timeout(let stage): "timeout while waiting for the \(stage.rawValue)"
        case .tooManyRedirects(let limit): "more than \(limit) redirects"
        case .cancelled, .busy, .overBudget, nil: "\(error)"
        }
    }

    private static func advice(_ error: any Error) -> String {
        switch error as? FetchError {
        case .blocked: "Allow it with --allow-hosts, --allow-private-sources or --s3-buckets if that is safe."
        case .storeRefused: "Check the credentials, their permissions, --s3-region and --s3-endpoint."
        case .invalidURL: "Use the URL of a picture, such as https://example.com/a.jpg."
        case .tooLarge: "Raise --max-source-bytes, or make the picture smaller."
        case .timeout: "Raise --connect-timeout or --fetch-timeout, or check why the origin is slow."
        case .unresolved: "Check the host name."
        case .nameServerFailed: "Check this machine's name servers: /etc/resolv.conf, and the network to them."
        case .exhausted: "Raise the limit of open files (ulimit -n)."
        case .unreachable: "Check whether the host is up, and firewalls."
        default: "Try curl -v from this machine."
        }
    }
}

/// The handler of a server that only tests whether it can listen.
private struct NoRequests: HTTPHandler {
    func respond(to request: ServerRequest) async -> ServerResponse { ServerResponse(status: .serviceUnavailable) }

    func refusal(status: HTTPResponse.Status, detail: String) -> ServerResponse { ServerResponse(status: status) }
}
