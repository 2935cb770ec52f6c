import Admission
import Dispatch
import Synchronization

/// Hands jobs to slots: at most so many at once, at most so many waiting, in the order they came.
///
/// A job whose slot cannot be free before its deadline is refused at once, and one that waits at its deadline is then.
final class FetchQueue: Sendable {
    private struct Waiting {
        let job: FetchJob
        let continuation: CheckedContinuation<FetchJob.Outcome, Never>
    }

    private struct State {
        /// The last used is taken first: its connections are the warmest.
        var idle: [FetchSlot] = []
        var slotCount = 0
        var waiting: [Waiting] = []
        var estimate = TurnEstimate()

        /// How long a job that comes now is likely to wait for its slot.
        var wait: Duration { estimate.wait(behind: waiting.count, places: slotCount) }

        var busy: FetchError { .busy(retryAfter: max(.seconds(1), wait)) }
    }

    private enum Admission {
        case start(FetchSlot)
        case wait
        case fail(FetchError)
    }

    private let slots: Int
    private let waitingLimit: Int
    private let makeSlot: @Sendable () -> FetchSlot
    private let state = Mutex(State())
    /// Where waiting jobs are told that their time is over.
    private let clerk = DispatchQueue(label: "headroom.fetch.deadlines")

    /// A queue that makes its slots when they are first needed.
    init(slots: Int, waitingLimit: Int, makeSlot: @escaping @Sendable () -> FetchSlot) {
        self.slots = slots
        self.waitingLimit = waitingLimit
        self.makeSlot = makeSlot
    }

    /// How many fetches run, and how many wait for a slot.
    var load: (running: Int, waiting: Int) {
        state.withLock { ($0.slotCount - $0.idle.count, $0.waiting.count) }
    }

    /// Starts the job, lets it wait, or resumes at once with `.busy` or `.cancelled`.
    func submit(_ job: FetchJob, continuation: CheckedContinuation<FetchJob.Outcome, Never>) {
        let entry = Waiting(job: job, continuation: continuation)
        let admission = state.withLock { state -> Admission in
            // Under the same lock as in `cancel`, so a job cannot be cancelled on its way into the list.
            guard !job.isCancelled else { return .fail(.cancelled) }
            if let slot = state.idle.popLast() { return .start(slot) }
            if state.slotCount < slots {
                state.slotCount += 1
                return .start(makeSlot())
            }
            guard state.waiting.count < waitingLimit, state.wait <= job.remaining else { return .fail(state.busy) }
            state.waiting.append(entry)
            return .wait
        }
        switch admission {
        case .start(let slot): start(entry, on: slot)
        case .wait: expire(job)
        case .fail(let error): continuation.resume(returning: .failure(error))
        }
    }

    /// Ends the job early, wherever it is.
    func cancel(_ job: FetchJob) {
        let entry = state.withLock { state -> Waiting? in
            job.cancel()
            return Self.take(job, &state)
        }
        entry?.continuation.resume(returning: .failure(.cancelled))
    }

    /// Refuses a job if it still waits at its deadline.
    private func expire(_ job: FetchJob) {
        clerk.asyncAfter(deadline: .now() + job.remaining / .seconds(1)) { [weak self] in
            let expired = self?.state.withLock { state in Self.take(job, &state).map { ($0, state.busy) } }
            if let (entry, busy) = expired ?? nil { entry.continuation.resume(returning: .failure(busy)) }
        }
    }

    /// Takes a job off the list, if it is there.
    private static func take(_ job: FetchJob, _ state: inout State) -> Waiting? {
        state.waiting.firstIndex { $0.job === job }.map { state.waiting.remove(at: $0) }
    }

    private func start(_ entry: Waiting, on slot: FetchSlot) {
        let startedAt = ContinuousClock.now
        slot.run(entry.job) { [self] outcome in
            // The slot goes on before the caller does: a caller that fetches again finds it free.
            let next = state.withLock { state -> Waiting? in
                // A fetch that was dropped says nothing about how long others take.
                if !entry.job.isCancelled { state.estimate.note(.now - startedAt) }
                guard !state.waiting.isEmpty else {
                    state.idle.append(slot)
                    return nil
                }
                return state.waiting.removeFirst()
            }
            if let next { start(next, on: slot) }
            entry.continuation.resume(returning: outcome)
        }
    }
}
