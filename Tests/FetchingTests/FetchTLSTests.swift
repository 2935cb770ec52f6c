import Fetching
import Foundation
import TestHTTP
import TestPacing
import TestPrograms
import Testing

/// Origins with TLS.
///
/// The program openssl serves them and makes their certificates.
@Suite(
    .limitedConcurrency,
    .enabled(if: TestCertificates.isInstalled, Comment(rawValue: TestCertificates.advice))
)
struct FetchTLSTests {
    /// Starts an origin with one file and waits until it listens.
    private func origin(
        _ certificates: TestCertificates,
        _ name: String,
        _ options: [String] = []
    ) async throws -> TLSOrigin {
        let port = try TestClient.freePort()
        let file = response("200 OK", body: "bytes")
        let origin = try await TLSOrigin(port: port, certificates, name, files: ["a.jpg": file], options)
        try #require(await eventually { (try? TestClient(port: port)) != nil })
        return origin
    }

    /// The bytes of the file, or the error.
    private func fetch(
        _ origin: TLSOrigin,
        _ outlet: FetchOutlet,
        host: String
    ) async throws -> Result<[UInt8], FetchError> {
        let fetcher = ImageFetcher.local { $0.rules.outlet = outlet }
        do {
            return .success(try await fetcher.fetch("https://\(host):\(origin.port)/a.jpg").bytes)
        } catch let error as FetchError {
            return .failure(error)
        }
    }

    private static let expected = Result<[UInt8], FetchError>.success(Array("bytes".utf8))

    /// An outlet with trusted authorities, and with a client certificate for some hosts.
    private func outlet(
        _ certificates: TestCertificates,
        authority: String? = "ca",
        client: String? = nil,
        for host: String = "localhost"
    ) throws -> FetchOutlet {
        func file(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }
        var outlet = FetchOutlet()
        if let authority {
            outlet.authorities = FetchOutlet.authorities(
                besideSystem: try file(certificates.path(authority)),
                system: []
            )
        }
        if let client {
            outlet.identity = ClientIdentity(
                certificate: try file(certificates.path(client)),
                key: try file(certificates.keyPath(client)),
                hosts: [try #require(HostPattern(host))]
            )
        }
        return outlet
    }

    private func expectFailure(_ result: Result<[UInt8], FetchError>, _ part: String, _ case: String) {
        guard case .failure(let error) = result else {
            Issue.record("\(`case`): fetched")
            return
        }
        #expect(error.kind == "unreachable" && "\(error)".contains(part), "\(`case`): \(error)")
    }

    @Test func `the certificate of an origin is verified`() async throws {
        let certificates = try await TestCertificates()
        let here = "DNS:localhost,IP:127.0.0.1"
        try await certificates.make("server", names: here)
        try await certificates.make("elsewhere", names: "DNS:pictures.example,DNS:*.localhost,IP:192.0.2.1")
        try await certificates.make("expired", names: here, days: -1)
        try await certificates.make("nameless")
        try await certificates.make("middle", isAuthority: true)
        try await certificates.make("leaf", names: here, by: "middle")
        let chain = ["-cert_chain", certificates.path("middle")]
        for (name, options, authority, host, problem) in [
            ("server", [], "ca", "localhost", nil), ("server", [], "ca", "127.0.0.1", nil),
            ("server", [], nil, "localhost", "certificate"), ("server", [], "other", "localhost", "certificate"),
            ("elsewhere", [], "ca", "localhost", "localhost"), ("elsewhere", [], "ca", "127.0.0.1", "127.0.0.1"),
            ("nameless", [], "ca", "localhost", "localhost"),
            ("expired", [], "ca", "localhost", "certificate has expired"),
            // A self-signed certificate that is not a trusted authority.
            ("other", [], "ca", "localhost", "self-signed certificate"),
            ("leaf", chain, "ca", "localhost", nil),
            // The intermediate certificate between the origin and the authority is missing.
            ("leaf", [], "ca", "localhost", "unable to get local issuer certificate"),
            ("leaf", [], "middle", "localhost", nil),
            ("server", ["-tls1_2"], "ca", "localhost", nil),
            ("server", ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], "ca", "localhost", "OpenSSL"),
        ] as [(String, [String], String?, String, String?)] {
            let server = try await origin(certificates, name, options)
            let result = try await fetch(server, try outlet(certificates, authority: authority), host: host)
            let `case` = "\(name) \(options) \(authority ?? "none") \(host)"
            if let problem {
                expectFailure(result, problem, `case`)
                guard case .failure(.unreachable(_, let obstacle)) = result else { continue }
                #expect(obstacle == (problem == "OpenSSL" ? .handshake : .certificate), "\(`case`)")
            } else {
                #expect(result == Self.expected, "\(`case`)")
            }
        }
    }

    @Test func `a client key must belong to the client certificate`() async throws {
        let certificates = try await TestCertificates()
        try await certificates.make("one")
        try await certificates.make("two")
        func file(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }
        for (certificate, key, matches) in [
            ("one", "one", true), ("two", "two", true), ("one", "two", false), ("two", "one", false),
        ] {
            let identity = try #require(
                ClientIdentity(
                    certificate: try file(certificates.path(certificate)),
                    key: try file(certificates.keyPath(key)),
                    hosts: []
                )
            )
            #expect(identity.keyMatches == matches, "\(certificate) and \(key)")
        }
        let empty = Array("-----BEGIN CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n".utf8)
        #expect(ClientIdentity(certificate: empty, key: empty, hosts: [])?.keyMatches == false)
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `an origin may require a client certificate`(version: String) async throws {
        let certificates = try await TestCertificates()
        try await certificates.make("server", names: "DNS:localhost")
        try await certificates.make("client")
        try await certificates.make("old", days: -1)
        let options = [version, "-Verify", "2", "-verify_return_error", "-CAfile", certificates.path("ca")]
        for (client, host, isAccepted) in [
            ("client", "localhost", true), (nil, "localhost", false), ("client", "elsewhere.example", false),
            ("other", "localhost", false), ("old", "localhost", false),
        ] as [(String?, String, Bool)] {
            let server = try await origin(certificates, "server", options)
            let result = try await fetch(
                server,
                try outlet(certificates, client: client, for: host),
                host: "localhost"
            )
            let `case` = "\(client ?? "none") for \(host)"
            if isAccepted {
                #expect(result == Self.expected, "\(`case`)")
            } else {
                // With TLS 1.3 the rejection arrives after the client's handshake.
                guard case .failure(let error) = result else {
                    Issue.record("\(`case`): fetched")
                    continue
                }
                #expect(["unreachable", "incomplete"].contains(error.kind), "\(`case`): \(error)")
            }
        }
    }
}
