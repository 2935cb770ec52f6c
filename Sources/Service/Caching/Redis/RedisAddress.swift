import Dispatch
import FoundationEssentials

/// The address and credentials of a Redis server, or of the sentinels that monitor the server.
package struct RedisAddress: Hashable, Sendable, CustomStringConvertible {
    /// The network address, the socket path, or the sentinels with the name of the master.
    enum Place: Hashable, Sendable {
        case tcp(RedisEndpoint)
        case unix(path: String)
        case sentinels([RedisEndpoint], service: String)
    }

    let place: Place
    /// Whether all connections use TLS.
    package let isEncrypted: Bool
    let user: String?
    private(set) var password: String?
    private(set) var sentinelPassword: String?
    let database: Int
    /// The certificate files for TLS.
    private(set) var certificates = RedisCertificates()

    /// The format of ``init(_:)``, for error messages.
    package static let expected = """
        redis://[user:password@]host[:port][/database], with rediss: for TLS, \
        redis+sentinel://[user:password@]host[:port],…/service[/database], or unix:/path
        """

    /// The maximum number of sentinels in an address.
    static let maxSentinels = 16
    private static let maxServiceBytes = 128

    /// Parses the address of a Redis server; nil for any other text.
    ///
    /// The forms are `redis://[user:password@]host[:port][/database]`,
    /// `redis+sentinel://[user:password@]host[:port],…/service[/database]`, and `unix:/path`. `rediss` instead of
    /// `redis` means TLS.
    ///
    /// User and password are percent-encoded; a password without a user follows a colon. They are the credentials for
    /// the Redis server, not for the sentinels.
    package init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst("unix:".count))
            guard path.hasPrefix("/"), (2...107).contains(path.utf8.count), !path.utf8.contains(0) else { return nil }
            (place, isEncrypted, user, password, database) = (.unix(path: path), false, nil, nil, 0)
            return
        }
        guard let separator = text.firstRange(of: "://") else { return nil }
        let scheme = text[..<separator.lowerBound].lowercased()
        let rest = text[separator.upperBound...]
        let isSentinel = scheme.hasSuffix("+sentinel")
        guard ["redis", "rediss"].contains(isSentinel ? String(scheme.dropLast("+sentinel".count)) : scheme) else {
            return nil
        }
        isEncrypted = scheme.hasPrefix("rediss")
        let credentials: URLComponents
        if isSentinel {
            guard let (parts, sentinels, service, database) = Self.sentinels(rest) else { return nil }
            (place, credentials, self.database) = (.sentinels(sentinels, service: service), parts, database)
        } else {
            guard let parts = URLComponents(string: "redis://\(rest)"), parts.query == nil, parts.fragment == nil,
                let endpoint = RedisEndpoint(parts, defaultPort: 6379), let database = Self.database(parts.path)
            else { return nil }
            (place, credentials, self.database) = (.tcp(endpoint), parts, database)
        }
        user = credentials.user.flatMap { $0.isEmpty ? nil : $0 }
        password = credentials.password.flatMap { $0.isEmpty ? nil : $0 }
        guard user == nil || password != nil else { return nil }
    }

    /// Parses `[user:password@]host[:port],…/service[/database]`.
    private static func sentinels(
        _ text: Substring
    ) -> (credentials: URLComponents, sentinels: [RedisEndpoint], service: String, database: Int)? {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let path = parts[1].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let service = String(path[0])
        // The characters that Sentinel permits in names.
        let isName = service.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                || ".-_".utf8.contains(byte)
        }
        guard isName, (1...maxServiceBytes).contains(service.utf8.count),
            let database = database(path.count == 2 ? "/\(path[1])" : "")
        else { return nil }
        let at = parts[0].lastIndex(of: "@")
        let hosts = parts[0][(at.map { parts[0].index(after: $0) } ?? parts[0].startIndex)...]
            .split(separator: ",", omittingEmptySubsequences: false)
        let endpoints = hosts.prefix(maxSentinels + 1).compactMap { RedisEndpoint($0, defaultPort: 26_379) }
        let credentials = URLComponents(string: "redis://\(at.map { parts[0][...$0] } ?? "")host")
        guard let credentials, endpoints.count == hosts.count, hosts.count <= maxSentinels else { return nil }
        return (credentials, endpoints, service, database)
    }

    /// Whether the address has a password.
    package var hasPassword: Bool { password != nil }

    /// Returns the same address with a password, which descriptions do not contain.
    package func with(password: String) -> RedisAddress {
        var address = self
        address.password = password
        return address
    }

    /// Returns the same address with a password for the sentinels, which descriptions do not contain.
    package func with(sentinelPassword: String) -> RedisAddress {
        var address = self
        address.sentinelPassword = sentinelPassword
        return address
    }

    /// Whether the address contains sentinels.
    package var hasSentinels: Bool { if case .sentinels = place { true } else { false } }

    /// Returns the same address with certificate files for TLS.
    package func with(_ certificates: RedisCertificates) -> RedisAddress {
        var address = self
        address.certificates = certificates
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

    /// The address without user and password, suitable for logs.
    package var description: String {
        let scheme = isEncrypted ? "rediss" : "redis"
        return switch place {
        case .tcp(let endpoint): "\(scheme)://\(endpoint)/\(database)"
        case .unix(let path): "unix:\(path)"
        case .sentinels(let sentinels, let service):
            "\(scheme)+sentinel://\(sentinels.map(\.description).joined(separator: ","))/\(service)/\(database)"
        }
    }

    /// Checks whether Redis accepts the connection and the password.
    ///
    /// Each server that is tried has one second.
    ///
    /// - Returns: The error without the password; nil on success.
    package func probe() async -> String? {
        // This call blocks, so it runs on its own thread.
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "headroom.redis.probe").async {
                do throws(RedisFailure) {
                    let timeout = Duration.seconds(1)
                    _ = try RedisConnector(self).open(connectTimeout: timeout, timeout: timeout)
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error.description)
                }
            }
        }
    }
}
