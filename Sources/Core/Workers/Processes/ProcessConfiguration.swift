import Dispatch
import Synchronization
import Threads

/// The settings for starting worker processes, and their limits.
package struct ProcessConfiguration: Sendable {
    /// The command that starts a process.
    ///
    /// Its program must call ``FrameWorker/run(jobs:model:)``.
    package var command: WorkerCommand
    /// A process that was started early, used by the first worker; nil for none.
    package var early: EarlyWorker?
    /// Whether an additional process waits to replace the next process that ends.
    package var hasSpareWorker = false
    /// Time limit of a job.
    ///
    /// Its worker is killed when the limit is exceeded.
    package var jobTimeout: Duration
    /// Time limit for a process to become ready.
    package var startTimeout = Duration.seconds(10)
    /// The time until a source or request that ended a process is accepted again.
    package var refusalTime = Duration.seconds(300)
    /// Maximum number of quarantined or suspected sources and requests.
    ///
    /// Beyond it, a new entry replaces the entry that expires first.
    package var maxRefusals = 1024
    /// Additional address space of a process in bytes, beyond its initial size, its request and the memory admitted for
    /// its job.
    ///
    /// It covers memory that the allocator has not returned, and the difference between estimates and whole pages.
    package var spareBytes = 128 << 20

    /// Creates a configuration with default values for a command.
    ///
    /// - Parameters:
    ///   - command: The command that starts a process.
    ///   - jobTimeout: The time limit of a job. Its process is killed when the limit is exceeded.
    package init(command: WorkerCommand, jobTimeout: Duration = .seconds(20)) {
        self.command = command
        self.jobTimeout = jobTimeout
    }
}

/// The thread that starts worker processes.
///
/// A worker is killed when its parent dies (PR_SET_PDEATHSIG). Linux treats the thread that started the worker as its
/// parent. Dispatch threads may end at any time, so this thread exists as long as the service process.
final class SpawningThread: Sendable {
    static let shared = SpawningThread()

    private let work = Mutex<[@Sendable () -> Void]>([])
    private let count = DispatchSemaphore(value: 0)

    private init() {
        DetachedThread.start { [self] in
            while true {
                count.wait()
                work.withLock { $0.removeFirst() }()
            }
        }
    }

    /// Runs `body` on the thread and waits for its result.
    func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result {
        let result = Mutex<Result?>(nil)
        let done = DispatchSemaphore(value: 0)
        work.withLock {
            $0.append {
                let value = body()
                result.withLock { $0 = value }
                done.signal()
            }
        }
        count.signal()
        done.wait()
        guard let value = result.withLock({ $0 }) else { preconditionFailure("it was set before the signal") }
        return value
    }
}
