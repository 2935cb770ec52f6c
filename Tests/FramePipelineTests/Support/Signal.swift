import Dispatch
import Synchronization

/// Lets jobs wait on their worker until a test says so.
final class Signal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Lets one waiter through, now or later.
    func send() { semaphore.signal() }

    /// Blocks the calling worker.
    func wait() { semaphore.wait() }
}

/// What happened, in order.
final class Record: Sendable {
    private let state = Mutex<[Int]>([])

    var entries: [Int] { state.withLock { $0 } }

    func add(_ entry: Int) { state.withLock { $0.append(entry) } }
}

/// Waits until a condition holds, for 20 seconds at most.
func eventually(_ condition: @Sendable () -> Bool) async -> Bool {
    for _ in 0..<4000 {
        if condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return condition()
}
