import Dispatch
import FoundationEssentials

/// The address and credentials of a Redis.
package struct RedisAddress: Hashable, Sendable, CustomStringConvertible {
    /// The network address or the socket path.
    enum Place: Hashable, Sendable {
        case tcp(host: String, port: Int32)
        case unix(path: String)
    }

    let place: Place
    let user: String?
    private(set) var password: String?
    let database: Int

    /// The format of ``init(_:)``, for error messages.
    package static let expected = "redis://[user:password@]host[:port][/database] or unix:/path"

    /// Parses `redis://[user:password@]host[:port][/database]` or `unix:/path`; nil for any other text.
    ///
    /// User and password are percent-encoded; a password without user follows a colon.
    package init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst("unix:".count))
            guard path.hasPrefix("/"), (2...107).contains(path.utf8.count), !path.utf8.contains(0) else { return nil }
            (place, user, password, database) = (.unix(path: path), nil, nil, 0)
            return
        }
        guard let parts = URLComponents(string: text), parts.scheme?.lowercased() == "redis", let host = parts.host,
            !host.isEmpty, parts.query == nil, parts.fragment == nil, (1...65_535).contains(parts.port ?? 6379),
            let database = Self.database(parts.path)
        else { return nil }
        // hiredis expects IPv6 addresses without the brackets of a URL.
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        place = .tcp(host: name, port: Int32(parts.port ?? 6379))
        user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
        password = parts.password.flatMap { $0.isEmpty ? nil : $0 }
        guard user == nil || password != nil else { return nil }
        self.database = database
    }

    /// Whether the address has a password.
    package var hasPassword: Bool { password != nil }

    /// The same address with a password, which is not printed.
    package func with(password: String) -> RedisAddress {
        var address = self
        address.password = password
        return address
    }

    private static func database(_ path: String) -> Int? {
        if path.isEmpty || path == "/" { return 0 }
        let digits = path.dropFirst()
        guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(digits), number < 1 << 16 else {
            return nil
        }
        return number
    }

    /// The address without user and password; suitable for logs.
    package var description: String {
        switch place {
        case .tcp(let host, let port): "redis://\(host.contains(":") ? "[\(host)]" : host):\(port)/\(database)"
        case .unix(let path): "unix:\(path)"
        }
    }

    /// Checks within a second whether a Redis accepts the connection and the password.
    ///
    /// - Returns: The error, without the password; nil on success.
    package func probe() async -> String? {
        // Blocks, so it runs on its own thread.
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "headroom.redis.probe").async {
                do throws(RedisFailure) {
                    let timeout = Duration.seconds(1)
                    _ = try RedisConnection.open(self, connectTimeout: timeout, timeout: timeout)
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error.description)
                }
            }
        }
    }
}
