import Foundation
import Subprocess
import TestPacing

/// A real redis-server on a Unix socket of its own, for tests; it ends with the last reference to it.
package final class RedisServer: Sendable {
    private static let places: [String] = ["/usr/bin/redis-server", "/usr/local/bin/redis-server"]
    private static let program = places.first { access($0, X_OK) == 0 }

    /// Whether there is one to be started.
    package static var isInstalled: Bool { program != nil }

    /// What to say when there is none.
    package static let advice = "redis-server is not installed: apt-get install redis-server"

    /// The socket, which need not be there yet.
    package let path: String
    private let program: RunningProgram

    /// A path for a socket that no other test has.
    package static func freePath() -> String {
        "/tmp/headroom-redis-\(getpid())-\(UInt64.random(in: 0 ..< .max)).sock"
    }

    /// Starts a server that keeps everything in memory.
    ///
    /// - Parameters:
    ///   - path: Of its socket.
    ///   - options: More of its options, such as `--requirepass`.
    /// - Throws: ``RunningProgram/Failure``.
    package init(at path: String = RedisServer.freePath(), _ options: [String] = []) async throws {
        let words = ["--port", "0", "--unixsocket", path, "--save", "", "--appendonly", "no", "--logfile", "/dev/null"]
        program = try await RunningProgram(.program(Self.program ?? "redis-server", words + options))
        self.path = path
    }

    deinit { unlink(path) }

    /// Stops it without ending it: it takes connections, and never answers.
    package func freeze() async {
        program.send(signal: SIGSTOP)
        // It may go on for a moment.
        _ = await eventually { isStopped }
    }

    private var isStopped: Bool {
        let status = try? String(contentsOfFile: "/proc/\(program.processID)/status", encoding: .utf8)
        return status?.contains("State:\tT") == true
    }

    /// Lets it go on.
    package func thaw() { program.send(signal: SIGCONT) }
}
