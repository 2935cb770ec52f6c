import Synchronization

/// One question to Redis, answered once: by Redis, or by the time that it has for it.
final class RedisLookup: Sendable {
    let key: String
    private let continuation: Mutex<CheckedContinuation<[UInt8]?, Never>?>

    init(_ key: String, _ continuation: CheckedContinuation<[UInt8]?, Never>) {
        self.key = key
        self.continuation = Mutex(continuation)
    }

    /// Whether somebody still waits for the answer.
    var isOpen: Bool { continuation.withLock { $0 != nil } }

    /// Answers, unless that has been done; true when it had not.
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
