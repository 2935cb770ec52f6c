import Dispatch

extension RedisAddress {
    /// What a connection may take that is only to show that it can be made.
    private static let probeTimeout = Duration.seconds(1)

    /// Finds out whether there is a Redis that takes the password and answers.
    ///
    /// - Returns: Why not, without the password; nil when all is well.
    package func probe() async -> String? {
        // Blocks, so it has a thread of its own.
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
