import CHiredis
import Dispatch
import Glibc

/// One connection to a Redis through hiredis; calls block for about their timeout at most.
struct RedisConnection: ~Copyable {
    enum Reply {
        case bytes([UInt8])
        case nothing
        case done
        /// An error reply with its text.
        case refused(String)
    }

    private let context: UnsafeMutablePointer<redisContext>

    private init(adopting context: UnsafeMutablePointer<redisContext>) { self.context = context }

    deinit { redisFree(context) }

    /// Connects, authenticates, selects the database, and waits for the reply to PING.
    ///
    /// `connectTimeout` limits the connection, and each command during setup; `timeout` each later command.
    static func open(
        _ address: RedisAddress,
        connectTimeout: Duration,
        timeout: Duration
    ) throws(RedisFailure) -> RedisConnection {
        let context =
            switch address.place {
            case .tcp(let host, let port): redisConnectWithTimeout(host, port, timeval(connectTimeout))
            case .unix(let path): redisConnectUnixWithTimeout(path, timeval(connectTimeout))
            }
        guard let context else { throw RedisFailure(description: "out of memory") }
        let connection = RedisConnection(adopting: context)
        try connection.check()
        redisSetTimeout(context, timeval(connectTimeout))
        if let password = address.password {
            try connection.expect(["AUTH"] + (address.user.map { [$0] } ?? []) + [password], "AUTH")
        }
        if address.database != 0 { try connection.expect(["SELECT", "\(address.database)"], "SELECT") }
        try connection.expect(["PING"], "PING")
        redisSetTimeout(context, timeval(timeout))
        return connection
    }

    /// Sends a command, its name and its arguments, and waits for its reply, which may be an error reply.
    func command(_ parts: [[UInt8]]) throws(RedisFailure) -> Reply {
        let lengths = parts.map(\.count)
        let reply = parts.flatMap(\.self).withUnsafeBytes { bytes -> UnsafeMutableRawPointer? in
            // hiredis needs an address even for an empty argument.
            guard let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress else { return nil }
            var offset = 0
            var arguments = lengths.map { length -> UnsafePointer<CChar>? in
                defer { offset += length }
                return start + offset
            }
            return redisCommandArgv(context, Int32(arguments.count), &arguments, lengths)
        }
        guard let reply else {
            try check()
            throw RedisFailure(description: "no reply")
        }
        defer { freeReplyObject(reply) }
        let content = reply.assumingMemoryBound(to: redisReply.self).pointee
        let bytes = UnsafeRawBufferPointer(start: content.str, count: content.str == nil ? 0 : Int(content.len))
        return switch content.type {
        case REDIS_REPLY_STRING: .bytes(Array(bytes))
        case REDIS_REPLY_NIL: .nothing
        case REDIS_REPLY_ERROR: .refused(Self.printable(bytes))
        default: .done
        }
    }

    private func expect(_ parts: [String], _ name: String) throws(RedisFailure) {
        if case .refused(let reason) = try command(parts.map { Array($0.utf8) }) {
            throw RedisFailure(description: "\(name): \(reason)")
        }
    }

    private func check() throws(RedisFailure) {
        guard context.pointee.err != 0 else { return }
        let message = withUnsafeBytes(of: context.pointee.errstr) { bytes in
            Self.printable(UnsafeRawBufferPointer(rebasing: bytes.prefix { $0 != 0 }))
        }
        throw RedisFailure(description: message)
    }

    private static func printable(_ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: bytes.prefix(200).map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}

extension timeval {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    }
}

/// A Redis error; the text is for logs and never contains the password.
struct RedisFailure: Error, CustomStringConvertible {
    let description: String
}

/// A connection and the queue on which its blocking calls run.
///
/// `@unchecked Sendable`: `connection` is accessed on the serial `queue` only.
final class RedisLane: @unchecked Sendable {
    private let queue: DispatchQueue
    private let address: RedisAddress
    private let timeout: Duration
    private var connection: RedisConnection?

    init(_ address: RedisAddress, name: String, timeout: Duration) {
        queue = DispatchQueue(label: "headroom.redis.\(name)", qos: .userInitiated)
        self.address = address
        self.timeout = timeout
    }

    /// Reconnects and reports the error, if any.
    func connect(timeout connectTimeout: Duration, _ completion: @escaping @Sendable (RedisFailure?) -> Void) {
        queue.async { [self] in
            connection = nil
            do throws(RedisFailure) {
                connection = try RedisConnection.open(address, connectTimeout: connectTimeout, timeout: timeout)
                completion(nil)
            } catch {
                completion(error)
            }
        }
    }

    /// Sends a command; a failed connection is closed.
    func send(
        _ parts: [[UInt8]],
        _ completion: @escaping @Sendable (Result<RedisConnection.Reply, RedisFailure>) -> Void
    ) {
        queue.async { [self] in
            do throws(RedisFailure) {
                guard let reply = try connection?.command(parts) else {
                    throw RedisFailure(description: "not connected")
                }
                completion(.success(reply))
            } catch {
                connection = nil
                completion(.failure(error))
            }
        }
    }
}
