import Foundation
import Synchronization

/// Threads that only tests run on.
///
/// Swift's own pool has one thread for each core. A test that computes for seconds would hold one of them all that time,
/// two such tests would hold a pool of two, and nothing that any other test waits for would begin meanwhile: clients,
/// servers, and what they serve run in that pool.
final class TestThreads: TaskExecutor {
    static let shared = TestThreads()

    /// Twice as many as there are turns: some tests wait for one task in another without giving their thread away.
    private static let count = 24

    private let jobs = Mutex<[UnownedJob]>([])
    private let waiting = DispatchSemaphore(value: 0)

    private init() {
        for _ in 0..<Self.count { Thread.detachNewThread { self.run() } }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        waiting.signal()
    }

    private func run() {
        while true {
            waiting.wait()
            jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
