import Synchronization

/// A continuation that is resumed once, by the result of a lookup or by its timeout.
final class SingleAnswer<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value, Never>?>

    init(_ continuation: CheckedContinuation<Value, Never>) { self.continuation = Mutex(continuation) }

    /// Whether the continuation has not been resumed.
    var isOpen: Bool { continuation.withLock { $0 != nil } }

    /// Runs a closure and then resumes the continuation.
    ///
    /// Does nothing if the continuation was already resumed.
    ///
    /// The closure runs first. A caller that has received its value can therefore see what the closure recorded.
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
