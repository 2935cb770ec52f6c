import Admission
import Synchronization
import TestPacing
import Testing

/// A queue of jobs, which are numbers and end when the test ends them.
final class QueueDesk: Sendable {
    /// The result of a job: its place.
    typealias Job = Task<Result<Int, QueueRefusal>, Never>

    /// First come, first served.
    ///
    /// In a full queue, a smaller number displaces the largest one.
    struct SmallNumbersStay: TurnOrder {
        func next(in line: WaitingLine<Int>) -> Int? { line.waiting.indices.first }

        func displaced(by job: Int, in line: WaitingLine<Int>) -> Int? {
            line.waiting.indices.filter { line.waiting[$0] > job }.max { line.waiting[$0] < line.waiting[$1] }
        }

        func wait(of job: Int, in line: WaitingLine<Int>) -> Duration {
            line.estimate.wait(behind: line.waiting.count, places: line.places)
        }
    }

    private struct State {
        var started: [Int] = []
        var ends: [Int: @Sendable (_ keepsPlace: Bool) -> Void] = [:]
        var isOver = false
    }

    let queue: DeadlineQueue<SmallNumbersStay, Int>
    private let clock: ManualClock
    private let state = Mutex(State())

    init(places: Int, waiting: Int, _ clock: ManualClock) {
        self.clock = clock
        queue = DeadlineQueue(
            places: Array(0..<places),
            waitingLimit: waiting,
            order: SmallNumbersStay(),
            time: clock.queueTime
        )
    }

    /// The jobs in the order in which they started.
    var started: [Int] { state.withLock(\.started) }

    func run(
        _ number: Int,
        within time: Duration? = nil,
        _ cancellation: Cancellation = Cancellation()
    ) async throws(QueueRefusal) -> Int {
        try await queue.run(number, by: time.map { clock.now + $0 }, cancellation) { place, end in
            let isOver = self.state.withLock { state in
                state.started.append(number)
                state.ends[number] = { end(place, $0) }
                return state.isOver
            }
            if isOver { end(place, true) }
        }
    }

    /// Runs a job in a task.
    ///
    /// Returns when the job runs or waits, and its deadline is set.
    func submit(
        _ number: Int,
        within time: Duration? = nil,
        _ cancellation: Cancellation = Cancellation()
    ) async -> Job {
        let (load, timers) = (queue.load, clock.timers)
        let job = Job {
            do throws(QueueRefusal) {
                return .success(try await self.run(number, within: time, cancellation))
            } catch {
                return .failure(error)
            }
        }
        #expect(
            await eventually {
                let now = self.queue.load
                guard now.running + now.waiting > load.running + load.waiting else { return false }
                return time == nil || now.waiting == load.waiting || self.clock.timers > timers
            }
        )
        return job
    }

    /// Submits a job that must be rejected immediately; returns the rejection.
    func refused(
        _ number: Int,
        within time: Duration? = nil,
        _ cancellation: Cancellation = Cancellation()
    ) async -> QueueRefusal? {
        await #expect(throws: QueueRefusal.self) { try await self.run(number, within: time, cancellation) }
    }

    /// Ends a running job.
    func end(_ number: Int, keepsPlace: Bool = true) {
        let end = state.withLock { $0.ends.removeValue(forKey: number) }
        #expect(end != nil, "job \(number) is not running")
        end?(keepsPlace)
    }

    /// Ends all jobs, including jobs that start later.
    func endAll() {
        let ends = state.withLock { state in
            state.isOver = true
            return state.ends
        }
        for end in ends.values { end(true) }
    }
}
