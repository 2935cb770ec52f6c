import Admission
import Synchronization
import TestPacing
import Testing

/// A queue of numbered worker jobs, which end when the test ends them.
final class ClientDesk: Sendable {
    typealias Job = Task<Result<Int, QueueRefusal>, Never>

    private struct State {
        var last = 0
        var refusals = 0
        var started: [Int] = []
        var clients: [Int: Client?] = [:]
        var ends: [Int: @Sendable () -> Void] = [:]
    }

    let queue: DeadlineQueue<CostOrder, Int>
    private let clock: ManualClock
    private let state = Mutex(State())

    init(places: Int, waiting: Int, _ clock: ManualClock = ManualClock()) {
        self.clock = clock
        queue = DeadlineQueue(
            places: Array(0..<places),
            waitingLimit: waiting,
            order: CostOrder(),
            time: clock.queueTime
        )
    }

    /// The clients of the started jobs, in order.
    var started: [Client?] { state.withLock { state in state.started.map { state.clients[$0] ?? nil } } }

    /// The number of a client's running jobs.
    func running(_ client: Client?) -> Int {
        state.withLock { state in state.ends.keys.count { state.clients[$0] ?? nil == client } }
    }

    func run(_ client: Client?, _ cost: JobCost = .usual) async throws(QueueRefusal) -> Int {
        let number = state.withLock { state in
            state.last += 1
            state.clients[state.last] = client
            return state.last
        }
        return try await queue.run(QueueJob(cost, client: client), by: nil, Cancellation()) { _, end in
            self.state.withLock { state in
                state.started.append(number)
                state.ends[number] = { end(number, true) }
            }
        }
    }

    /// Runs a job in a task, and returns when the job runs or waits.
    ///
    /// If the queue is full, returns when it has displaced another job.
    func submit(_ client: Client?, _ cost: JobCost = .usual) async -> Job {
        let (before, isFull, refusals) = (queue.load, queue.isFull, refusals)
        let job = Job {
            do throws(QueueRefusal) {
                return .success(try await self.run(client, cost))
            } catch {
                self.state.withLock { $0.refusals += 1 }
                return .failure(error)
            }
        }
        #expect(
            await eventually {
                let now = self.queue.load
                return isFull
                    ? self.refusals > refusals : now.running + now.waiting > before.running + before.waiting
            }
        )
        return job
    }

    /// The number of submitted jobs that were rejected.
    private var refusals: Int { state.withLock { $0.refusals } }

    /// Ends a client's oldest running job.
    func end(_ client: Client?) {
        let end = state.withLock { state in
            let number = state.ends.keys.filter { state.clients[$0] ?? nil == client }.min()
            return number.flatMap { state.ends.removeValue(forKey: $0) }
        }
        #expect(end != nil, "no job of \(String(describing: client)) is running")
        end?()
    }

    /// Ends the oldest running job.
    func endFirst() {
        let end = state.withLock { state in
            let number = state.started.first { state.ends[$0] != nil }
            return number.flatMap { state.ends.removeValue(forKey: $0) }
        }
        end?()
    }

    /// Ends all jobs one after another.
    func endAll() {
        while let end = state.withLock({ $0.ends.popFirst()?.value }) { end() }
    }
}
