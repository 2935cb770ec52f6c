import Synchronization

/// A continuation that is resumed once: by the result of a lookup or by its timeout.
final class SingleAnswer<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value, Never>?>

    init(_ continuation: CheckedContinuation<Value, Never>) { self.continuation = Mutex(continuation) }

    /// Whether the continuation is not resumed.
    var isOpen: Bool { continuation.withLock { $0 != nil } }

    /// Runs a closure and resumes the continuation; does nothing if it was already resumed.
    ///
    /// The closure runs first, so that a caller that has its value also finds what the closure recorded.
    func give(_ value: Value, after record: () -> Void = {}) {
        let continuation = self.continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        guard let continuation else { return }
        record()
        continuation.resume(returning: value)
    }
}
