import Dispatch
import Synchronization

/// Blocks jobs on their workers until a test releases them.
final class Signal: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Releases one waiting job, now or later.
    func send() { semaphore.signal() }

    /// Blocks the calling worker.
    func wait() { semaphore.wait() }
}

/// The events in the order in which they were recorded.
final class Record: Sendable {
    private let state = Mutex<[Int]>([])

    var entries: [Int] { state.withLock { $0 } }

    func add(_ entry: Int) { state.withLock { $0.append(entry) } }
}
