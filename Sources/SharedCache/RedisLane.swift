import Dispatch

/// A connection and the thread that waits for it.
///
/// Unchecked because the compiler cannot see that `connection` is touched by blocks of `queue` only, one at a time.
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

    /// Connects anew, and tells what kept it from that.
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

    /// Sends a command; a connection that failed is closed.
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
