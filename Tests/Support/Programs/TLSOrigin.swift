import Foundation
import Subprocess

/// An https origin at 127.0.0.1, run by openssl; stopped when the last reference is released.
package final class TLSOrigin: Sendable {
    /// The port of the origin.
    package let port: UInt16
    private let program: RunningProgram
    private let folder: String

    /// Starts an origin with a certificate.
    ///
    /// - Parameters:
    ///   - port: A free port.
    ///   - certificates: The folder with the certificate and its key.
    ///   - name: The name of the certificate.
    ///   - files: Complete responses, including their heads, by path.
    ///   - options: Additional options of `openssl s_server`.
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
