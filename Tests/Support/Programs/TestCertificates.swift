import Foundation
import Subprocess

/// A certificate authority and certificates that it has signed.
///
/// The program openssl makes them in a separate folder.
package final class TestCertificates: Sendable {
    private static let program = "/usr/bin/openssl"

    /// Whether openssl is installed.
    package static var isInstalled: Bool { access(program, X_OK) == 0 }

    /// The reason for skipping tests without openssl.
    package static let advice = "openssl is not installed: apt-get install openssl"

    /// The output of openssl before it failed.
    package struct Failure: Error {
        package let text: String
    }

    private let folder: String

    /// Makes an authority, `ca`, and a second one, `other`.
    package init() async throws {
        folder = "/tmp/headroom-certificates-\(getpid())-\(UInt64.random(in: 0 ..< .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        for name in ["ca", "other"] {
            try await openssl(
                ["req", "-x509", "-days", "2", "-subj", "/CN=\(name)", "-out", path(name)] + key(for: name)
            )
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The path of a certificate in PEM.
    package func path(_ name: String) -> String { "\(folder)/\(name).pem" }

    /// The path of the certificate's key.
    package func keyPath(_ name: String) -> String { "\(folder)/\(name).key" }

    /// Makes a certificate signed by an authority, for example with the names `DNS:localhost,IP:127.0.0.1`.
    ///
    /// A certificate with -1 days has expired. With `isAuthority` it can sign others.
    package func make(
        _ name: String,
        names: String? = nil,
        days: Int = 2,
        by authority: String = "ca",
        isAuthority: Bool = false
    ) async throws {
        let (request, extensions) = ("\(folder)/\(name).csr", "\(folder)/\(name).ext")
        let text = names.map { "subjectAltName=\($0)" } ?? "basicConstraints=CA:\(isAuthority ? "TRUE" : "FALSE")"
        try text.write(toFile: extensions, atomically: false, encoding: .utf8)
        try await openssl(["req", "-subj", "/CN=\(name)", "-out", request] + key(for: name))
        try await openssl([
            "x509", "-req", "-in", request, "-CA", path(authority), "-CAkey", keyPath(authority), "-set_serial", "1",
            "-days", "\(days)", "-extfile", extensions, "-out", path(name),
        ])
    }

    /// Makes an RSA key in PEM, whose path is ``keyPath(_:)``.
    package func makeRSAKey(_ name: String) async throws {
        try await openssl(["genrsa", "-out", keyPath(name), "2048"])
    }

    /// The signature of bytes with a key and SHA-256.
    package func signature(of bytes: [UInt8], with name: String) async throws -> [UInt8] {
        let (input, output) = ("\(folder)/input", "\(folder)/output")
        try Data(bytes).write(to: URL(filePath: input))
        try await openssl(["dgst", "-sha256", "-sign", keyPath(name), "-out", output, input])
        return Array(try Data(contentsOf: URL(filePath: output)))
    }

    private func key(for name: String) -> [String] {
        ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", keyPath(name)]
    }

    private func openssl(_ words: [String]) async throws {
        let run = try await Configuration.program(Self.program, words).run()
        guard run.status == 0 else { throw Failure(text: run.error) }
    }
}
