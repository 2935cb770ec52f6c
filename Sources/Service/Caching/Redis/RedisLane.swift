import Dispatch

/// A connection, and the queue for its blocking calls.
///
/// `@unchecked Sendable` because `connection` is accessed only on the serial `queue`.
final class RedisLane: @unchecked Sendable {
    private let queue: DispatchQueue
    private let connector: RedisConnector
    private let timeout: Duration
    private var connection: RedisConnection?

    init(_ connector: RedisConnector, name: String, timeout: Duration) {
        queue = DispatchQueue(label: "headroom.redis.\(name)", qos: .userInitiated)
        self.connector = connector
        self.timeout = timeout
    }

    /// Reconnects and reports the error, or nil.
    func connect(timeout connectTimeout: Duration, _ completion: @escaping @Sendable (RedisFailure?) -> Void) {
        queue.async { [self] in
            connection = nil
            do throws(RedisFailure) {
                connection = try connector.open(connectTimeout: connectTimeout, timeout: timeout)
                completion(nil)
            } catch {
                completion(error)
            }
        }
    }

    /// Sends a command.
    ///
    /// If the connection fails, it is closed.
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
