import Caching
import Logging
import TestHTTP
import TestPacing
import TestPrograms
import Testing

/// Tests with a redis-server that uses TLS, and certificates that openssl makes.
@Suite(
    .limitedConcurrency,
    .enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.advice)),
    .enabled(if: TestCertificates.isInstalled, Comment(rawValue: TestCertificates.advice))
)
struct RedisTLSTests {
    /// Starts a server with a certificate; `clients` is whether it requires client certificates.
    private func server(
        _ certificates: TestCertificates,
        _ name: String,
        port: UInt16,
        clients: Bool = false,
        _ options: [String] = []
    ) async throws -> RedisServer {
        try await RedisServer(
            [
                "--tls-port", "\(port)", "--tls-ca-cert-file", certificates.path("ca"), "--tls-cert-file",
                certificates.path(name), "--tls-key-file", certificates.keyPath(name), "--tls-auth-clients",
                clients ? "yes" : "no",
            ] + options
        )
    }

    /// The error of a connection once the server listens; nil if the connection succeeds.
    private func error(
        _ address: String,
        _ files: RedisCertificates
    ) async throws -> String? {
        let address = try #require(RedisAddress(address)).with(files)
        var error: String?
        // A busy machine may need more than the one second of a probe.
        #expect(
            await eventually {
                error = await address.probe()
                return error.map { !$0.contains("Connection refused") && !$0.hasPrefix("no reply in time") } ?? true
            }
        )
        return error
    }

    @Test func `values are shared over TLS, with a password`() async throws {
        let certificates = try await TestCertificates()
        try await certificates.make("server", names: "DNS:localhost,IP:127.0.0.1")
        let port = try TestClient.freePort()
        let server = try await server(certificates, "server", port: port, ["--requirepass", "s3cret"])
        let files = RedisCertificates(authorities: certificates.path("ca"))
        let address = try #require(RedisAddress("rediss://:s3cret@localhost:\(port)/1")).with(files)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let store = RedisStore(address, timeout: .seconds(1), prefix: "test:", logger: logger)
        // Longer than one TLS record.
        let value = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(
            await eventually {
                store.keep(value, for: "key", lifetime: .seconds(60))
                return await store.bytes(for: "key") == value
            }
        )
        withExtendedLifetime(server) {}
    }

    @Test func `the server's certificate is verified, and the error contains the reason`() async throws {
        let certificates = try await TestCertificates()
        try await certificates.make("server", names: "DNS:localhost,IP:127.0.0.1")
        try await certificates.make("foreign", names: "DNS:redis.example,IP:192.0.2.1")
        try await certificates.make("expired", names: "DNS:localhost", days: -1)
        try await certificates.make("nameless")
        let (ca, other) = (certificates.path("ca"), certificates.path("other"))
        for (name, host, authorities, parts) in [
            ("server", "localhost", ca, []),
            ("server", "127.0.0.1", ca, []),
            ("server", "localhost", other, ["refused: ", "by an authority of \(other)", "issued by CN=ca"]),
            ("server", "localhost", nil, ["refused: ", "by an authority of /etc/ssl/certs/", "issued by CN=ca"]),
            ("foreign", "localhost", ca, ["hostname mismatch", "for localhost", "for redis.example 192.0.2.1"]),
            ("foreign", "127.0.0.1", ca, ["IP address mismatch", "for 127.0.0.1", "for redis.example 192.0.2.1"]),
            ("expired", "localhost", ca, ["certificate has expired", "until 20"]),
            ("nameless", "localhost", ca, ["hostname mismatch", "for no name (CN=nameless)"]),
        ] as [(String, String, String?, [String])] {
            let port = try TestClient.freePort()
            let server = try await server(certificates, name, port: port)
            let error = try await error("rediss://\(host):\(port)", RedisCertificates(authorities: authorities))
            #expect((error == nil) == parts.isEmpty, "\(name) \(host) \(error ?? "")")
            for part in parts { #expect(error?.contains(part) == true, "\(part) in \(error ?? "")") }
            withExtendedLifetime(server) {}
        }
    }

    @Test(arguments: ["TLSv1.2", "TLSv1.3"])
    func `a server may require a client certificate`(version: String) async throws {
        let certificates = try await TestCertificates()
        try await certificates.make("server", names: "DNS:localhost")
        try await certificates.make("client")
        let port = try TestClient.freePort()
        let options = ["--tls-protocols", version]
        let server = try await server(certificates, "server", port: port, clients: true, options)
        var files = RedisCertificates(authorities: certificates.path("ca"))
        let missing = try await error("rediss://localhost:\(port)", files)
        #expect(missing?.contains("requests a client certificate, and none is set") == true, "\(missing ?? "")")
        files.certificate = certificates.path("client")
        files.key = certificates.keyPath("client")
        #expect(try await error("rediss://localhost:\(port)", files) == nil)
        // A certificate from another authority.
        files.certificate = certificates.path("other")
        files.key = certificates.keyPath("other")
        #expect(try await error("rediss://localhost:\(port)", files)?.hasPrefix("TLS: ") == true)
        withExtendedLifetime(server) {}
    }

    @Test func `a server must support TLS 1.2 or newer`() async throws {
        let certificates = try await TestCertificates()
        try await certificates.make("server", names: "DNS:localhost")
        let port = try TestClient.freePort()
        let server = try await server(certificates, "server", port: port, ["--tls-protocols", "TLSv1.1"])
        let files = RedisCertificates(authorities: certificates.path("ca"))
        #expect(try await error("rediss://localhost:\(port)", files)?.hasPrefix("TLS: ") == true)
        withExtendedLifetime(server) {}
    }

    @Test func `a server without TLS is not used`() async throws {
        let port = try TestClient.freePort()
        let server = try await RedisServer(["--port", "\(port)"])
        let error = try await error("rediss://localhost:\(port)", RedisCertificates())
        #expect(error?.contains("expected a server that uses TLS") == true, "\(error ?? "")")
        withExtendedLifetime(server) {}
    }

    @Test func `unusable files are reported with their path`() async throws {
        let certificates = try await TestCertificates()
        let (ca, key, absent) = (certificates.path("ca"), certificates.keyPath("ca"), certificates.path("absent"))
        for (files, error) in [
            (RedisCertificates(authorities: ca), nil), (RedisCertificates(certificate: ca, key: key), nil),
            (RedisCertificates(authorities: key), "\(key): expected certificates in PEM"),
            (RedisCertificates(authorities: absent), "\(absent): No such file or directory"),
            (RedisCertificates(authorities: "/tmp"), "/tmp: expected a file of at most 4194304 bytes"),
            (RedisCertificates(authorities: ca, certificate: key), "\(key): expected a certificate in PEM"),
            (RedisCertificates(certificate: ca), "\(ca): expected a key in PEM without a passphrase"),
            (
                RedisCertificates(certificate: ca, key: certificates.keyPath("other")),
                "\(certificates.keyPath("other")): expected the key of the client certificate"
            ),
        ] { #expect(files.problem() == error) }
    }

    @Test func `a renewed certificate is loaded again`() async throws {
        let certificates = try await TestCertificates()
        try await certificates.make("server", names: "DNS:localhost")
        try await certificates.make("client", days: -1)
        let port = try TestClient.freePort()
        let server = try await server(certificates, "server", port: port, clients: true)
        let files = RedisCertificates(
            authorities: certificates.path("ca"),
            certificate: certificates.path("client"),
            key: certificates.keyPath("client")
        )
        #expect(try await error("rediss://localhost:\(port)", files)?.hasPrefix("TLS: ") == true)
        let address = try #require(RedisAddress("rediss://localhost:\(port)")).with(files)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let store = RedisStore(address, prefix: "test:", logger: logger)
        try await certificates.make("client")
        #expect(await eventually { store.statistics.isConnected })
        withExtendedLifetime(server) {}
    }
}
