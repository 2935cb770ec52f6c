import Foundation
import Subprocess

/// An https origin at 127.0.0.1, which openssl runs; stopped when the last reference is released.
package final class TLSOrigin: Sendable {
    /// Its port.
    package let port: UInt16
    private let program: RunningProgram
    private let folder: String

    /// Starts an origin with a certificate.
    ///
    /// - Parameters:
    ///   - port: A free port.
    ///   - certificates: Has the certificate and its key.
    ///   - name: The name of the certificate.
    ///   - files: Whole responses, with their heads, by path.
    ///   - options: Further options of `openssl s_server`.
    /// - Throws: An error if a file cannot be written or openssl cannot be started.
    package init(
        port: UInt16,
        _ certificates: TestCertificates,
        _ name: String,
        files: [String: String],
        _ options: [String] = []
    ) async throws {
        self.port = port
        folder = "/tmp/headroom-origin-\(getpid())-\(UInt64.random(in: 0 ..< .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        for (path, response) in files {
            try response.write(toFile: "\(folder)/\(path)", atomically: false, encoding: .utf8)
        }
        let words = [
            "s_server", "-quiet", "-HTTP", "-accept", "127.0.0.1:\(port)", "-cert", certificates.path(name), "-key",
            certificates.keyPath(name),
        ]
        let place = URL(filePath: folder)
        program = try await RunningProgram(.program("/usr/bin/openssl", words + options, in: place))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
}
