import Foundation

/// Threads that run only tests.
///
/// Swift's own pool has one thread per core. Two tests that compute for seconds would block a pool of two threads, and
/// with it the clients and servers of all other tests.
final class TestThreads: TaskExecutor {
    static let shared = TestThreads()

    /// Twice the number of concurrent tests, because some tests occupy a thread while they wait for another task.
    private static let count = 24

    /// Guards the jobs.
    ///
    /// This is not a `Mutex`, which the thread sanitizer does not support: it would report a race in each test.
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
