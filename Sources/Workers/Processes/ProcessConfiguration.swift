import Dispatch
import Foundation
import Synchronization

/// How worker processes are started, and their limits.
package struct ProcessConfiguration: Sendable {
    /// What starts one: a command that ends in ``FrameWorker/run(model:)``.
    package var command: WorkerCommand
    /// The longest time of a job; its worker is killed after that.
    package var jobTimeout: Duration
    /// The longest time until a process is ready.
    package var startTimeout = Duration.seconds(10)
    /// How long the bytes that ended a process are refused.
    package var refusalTime = Duration.seconds(300)
    /// How many sources are refused at the same time; the oldest makes room.
    package var maxRefusals = 1024
    /// Address space that a process has beyond what it starts with and what its job was admitted with.
    ///
    /// It is room for what the allocator does not give back, and for the difference between estimates and pages.
    package var spareBytes = 128 << 20

    /// A configuration with the defaults.
    package init(command: WorkerCommand, jobTimeout: Duration = .seconds(20)) {
        self.command = command
        self.jobTimeout = jobTimeout
    }
}

/// Statistics of worker processes since the start.
package struct ProcessCounters: Hashable, Sendable {
    /// Processes that could run a job now.
    package var alive = 0
    /// Processes that were started in place of another.
    package var restarts = 0
    /// Processes that ended or had to be ended, by cause; failed starts are among them.
    package var ends: [WorkerEnd.Cause: Int] = [:]
    /// Requests that were refused because their bytes had ended a process.
    package var refusals = 0
    /// Sources that are refused now.
    package var refusedSources = 0
}

/// How a worker process is started.
package struct WorkerCommand: Sendable {
    /// The program; the kernel's name for the one that is running now stays right when its file is replaced.
    package var program: String
    /// What it is called with, without the program's name.
    package var arguments: [String]

    /// This program, or another one, with the given arguments.
    package init(program: String = "/proc/self/exe", arguments: [String]) {
        self.program = program
        self.arguments = arguments
    }
}

/// The thread that starts worker processes.
///
/// A worker is killed when its parent dies, and by parent Linux means the thread that started it. Threads of Dispatch come
/// and go, so there is one that stays.
final class SpawningThread: Sendable {
    static let shared = SpawningThread()

    private let work = Mutex<[@Sendable () -> Void]>([])
    private let count = DispatchSemaphore(value: 0)

    private init() {
        Thread.detachNewThread { [self] in
            while true {
                count.wait()
                work.withLock { $0.removeFirst() }()
            }
        }
    }

    /// Runs `body` on the thread and waits for what it returns.
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
