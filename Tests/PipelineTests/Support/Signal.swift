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
