import Dispatch
import Foundation
import Synchronization

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
