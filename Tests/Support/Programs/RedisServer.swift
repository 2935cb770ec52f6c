import Foundation
import Subprocess
import TestPacing

/// A redis-server on a Unix socket; stopped when the last reference is released.
package final class RedisServer: Sendable {
    private static let places: [String] = ["/usr/bin/redis-server", "/usr/local/bin/redis-server"]
    private static let program = places.first { access($0, X_OK) == 0 }

    /// The path of the program.
    static var executable: String { program ?? "redis-server" }

    /// Whether redis-server is installed.
    package static var isInstalled: Bool { program != nil }

    /// The reason for skipping tests without redis-server.
    package static let advice = "redis-server is not installed: apt-get install redis-server"

    /// The path of the socket, which may not exist yet.
    package let path: String
    private let program: RunningProgram

    /// A path for a socket that no other test uses.
    package static func freePath() -> String {
        "/tmp/headroom-redis-\(getpid())-\(UInt64.random(in: 0 ..< .max)).sock"
    }

    /// Starts a server without persistence.
    ///
    /// - Parameters:
    ///   - path: The path of its socket.
    ///   - options: Additional options, such as `--requirepass`.
    /// - Throws: ``RunningProgram/Failure``.
    package init(at path: String = RedisServer.freePath(), _ options: [String] = []) async throws {
        let words = ["--port", "0", "--unixsocket", path, "--save", "", "--appendonly", "no", "--logfile", "/dev/null"]
        program = try await RunningProgram(.program(Self.executable, words + options))
        self.path = path
    }

    deinit { unlink(path) }

    /// Suspends the server: it accepts connections and never replies.
    package func freeze() async {
        program.send(signal: SIGSTOP)
        // The process may continue to run for a moment.
        _ = await eventually { isStopped }
    }

    private var isStopped: Bool {
        let status = try? String(contentsOfFile: "/proc/\(program.processID)/status", encoding: .utf8)
        return status?.contains("State:\tT") == true
    }

    /// Resumes the server.
    package func thaw() { program.send(signal: SIGCONT) }
}
