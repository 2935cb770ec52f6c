import Dispatch

extension RedisAddress {
    /// Time limit of a probe.
    private static let probeTimeout = Duration.seconds(1)

    /// Checks whether a Redis accepts the connection and the password.
    ///
    /// - Returns: The error, without the password; nil on success.
    package func probe() async -> String? {
        // Blocks, so it runs on its own thread.
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "headroom.redis.probe").async {
                do throws(RedisFailure) {
                    _ = try RedisConnection.open(
                        self,
                        connectTimeout: Self.probeTimeout,
                        timeout: Self.probeTimeout
                    )
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error.description)
                }
            }
        }
    }
}
