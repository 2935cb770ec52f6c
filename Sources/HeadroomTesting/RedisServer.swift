import Glibc

/// A real redis-server on a Unix socket of its own, for tests; it ends with the last reference to it.
package final class RedisServer: Sendable {
    /// What went wrong with starting it.
    package struct Failure: Error {
        package let call: String
        package let number: Int32
    }

    private static let places: [String] = ["/usr/bin/redis-server", "/usr/local/bin/redis-server"]
    private static let program = places.first { access($0, X_OK) == 0 }

    /// Whether there is one to be started.
    package static var isInstalled: Bool { program != nil }

    /// What to say when there is none.
    package static let advice = "redis-server is not installed: apt-get install redis-server"

    /// The socket, which need not be there yet.
    package let path: String
    private let process: pid_t

    /// A path for a socket that no other test has.
    package static func freePath() -> String {
        "/tmp/headroom-redis-\(getpid())-\(UInt64.random(in: 0 ..< .max)).sock"
    }

    /// Starts a server that keeps everything in memory.
    ///
    /// - Parameters:
    ///   - path: Of its socket.
    ///   - options: More of its options, such as `--requirepass`.
    /// - Throws: ``Failure``.
    package init(at path: String = RedisServer.freePath(), _ options: [String] = []) throws {
        guard let program = Self.program else { throw Failure(call: "redis-server", number: ENOENT) }
        let words =
            [
                program, "--port", "0", "--unixsocket", path, "--save", "", "--appendonly", "no", "--logfile",
                "/dev/null",
            ]
            + options
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let error = posix_spawn(&process, program, nil, nil, &arguments, environ)
        guard error == 0 else { throw Failure(call: "posix_spawn", number: error) }
        self.path = path
        self.process = process
    }

    deinit {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        unlink(path)
    }

    /// Stops it without ending it: it takes connections, and never answers.
    package func freeze() { kill(process, SIGSTOP) }

    /// Lets it go on.
    package func thaw() { kill(process, SIGCONT) }
}
