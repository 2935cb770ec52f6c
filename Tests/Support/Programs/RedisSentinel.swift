import Foundation
import Subprocess

/// A redis-server in Sentinel mode that monitors one master; stopped when the last reference is released.
package final class RedisSentinel: Sendable {
    private let program: RunningProgram
    private let file: String

    /// Starts a sentinel that decides alone, and fails over if the master is unreachable for 0.3 s.
    ///
    /// - Parameters:
    ///   - port: Its port on the loopback interface.
    ///   - master: The port of the master.
    ///   - service: The name of the master.
    ///   - lines: Additional lines of its settings.
    /// - Throws: ``RunningProgram/Failure``, or an error of the file system.
    package init(port: Int, master: Int, service: String, _ lines: [String] = []) async throws {
        file = "/tmp/headroom-sentinel-\(getpid())-\(UInt64.random(in: 0 ..< .max)).conf"
        let settings = [
            "port \(port)", "bind 127.0.0.1", "dir /tmp", "logfile /dev/null",
            "sentinel monitor \(service) 127.0.0.1 \(master) 1", "sentinel down-after-milliseconds \(service) 300",
            "sentinel failover-timeout \(service) 2000",
        ]
        try (settings + lines).map { $0 + "\n" }.joined().write(toFile: file, atomically: false, encoding: .utf8)
        program = try await RunningProgram(.program(RedisServer.executable, [file, "--sentinel"]))
    }

    deinit { unlink(file) }
}
