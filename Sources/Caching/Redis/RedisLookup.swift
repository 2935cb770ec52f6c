import Synchronization

/// A lookup in Redis, completed once: by the reply or by its timeout.
final class RedisLookup: Sendable {
    let key: String
    private let continuation: Mutex<CheckedContinuation<[UInt8]?, Never>?>

    init(_ key: String, _ continuation: CheckedContinuation<[UInt8]?, Never>) {
        self.key = key
        self.continuation = Mutex(continuation)
    }

    /// Whether the lookup is not completed.
    var isOpen: Bool { continuation.withLock { $0 != nil } }

    /// Completes the lookup; returns false if it was completed before.
    @discardableResult
    func answer(_ bytes: [UInt8]?) -> Bool {
        let continuation = self.continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        continuation?.resume(returning: bytes)
        return continuation != nil
    }
}
