import Synchronization

/// Bytes that all bodies may take together which are being received or worked on.
final class BodyBudget: Sendable {
    let limit: Int
    private let held = Atomic(0)

    init(limit: Int) { self.limit = limit }

    /// Takes so many bytes more, or none and returns false when that would be too many; fewer than none gives back.
    func take(_ bytes: Int) -> Bool {
        let total = held.add(bytes, ordering: .relaxed).newValue
        guard bytes > 0, total > limit else { return true }
        held.subtract(bytes, ordering: .relaxed)
        return false
    }
}
