import Foundation

/// Threads that only tests run on.
///
/// Swift's own pool has one thread for each core. A test that computes for seconds would hold one of them all that time,
/// two such tests would hold a pool of two, and nothing that any other test waits for would begin meanwhile: clients,
/// servers, and what they serve run in that pool.
final class TestThreads: TaskExecutor {
    static let shared = TestThreads()

    /// Twice as many as there are turns: some tests wait for one task in another without giving their thread away.
    private static let count = 24

    /// Guards the jobs.
    ///
    /// No `Mutex`, which the thread sanitizer does not know: each test would look like a race.
    private let condition = NSCondition()
    private nonisolated(unsafe) var jobs: [UnownedJob] = []

    private init() {
        for _ in 0..<Self.count { Thread.detachNewThread { self.run() } }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock { jobs.append(job) }
        condition.signal()
    }

    private func run() {
        while true { next().runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private func next() -> UnownedJob {
        condition.withLock {
            while jobs.isEmpty { condition.wait() }
            return jobs.removeFirst()
        }
    }
}
