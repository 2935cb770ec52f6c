import Synchronization

/// Limits how many streams run at once.
final class StreamLimiter: Sendable {
    let configuration: StreamConfiguration
    private let count = Mutex(0)

    init(_ configuration: StreamConfiguration) { self.configuration = configuration }

    /// Streams that run.
    var taken: Int { count.withLock(\.self) }

    /// Takes a place, which ``release()`` returns; false if there is none.
    func take() -> Bool {
        count.withLock { count in
            guard count < configuration.maxStreams else { return false }
            count += 1
            return true
        }
    }

    /// Returns a place.
    func release() { count.withLock { $0 -= 1 } }
}
