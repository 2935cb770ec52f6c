import Synchronization
import SystemLimits

/// Detects whether the kernel has killed processes of this container for lack of memory.
final class MemoryKills: Sendable {
    private let count: @Sendable () -> Int
    private let known: Mutex<Int>

    /// - Parameter count: All kills so far; tests replace the control group's counter.
    init(_ count: @escaping @Sendable () -> Int = { ControlGroup.memoryKills() }) {
        self.count = count
        known = Mutex(count())
    }

    /// Whether there are any since the last call, or since this was created.
    func areNew() -> Bool {
        let now = count()
        return known.withLock { known in
            defer { known = now }
            return now > known
        }
    }
}
