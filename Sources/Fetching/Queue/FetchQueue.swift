import Admission
import Dispatch
import Synchronization

/// Hands jobs to slots: at most so many at once, at most so many waiting, shared fairly between hosts and clients.
///
/// A job whose slot cannot be free before its deadline is refused at once, and one that waits at its deadline is then.
final class FetchQueue: Sendable {
    private struct State {
        /// The last used is taken first: its connections are the warmest.
        var idle: [FetchSlot] = []
        var fetches: WaitingFetches
        var estimate = TurnEstimate()

        /// The refusal of a job, with the advice to come back when its turn could have come.
        func busy(_ job: FetchJob) -> FetchError {
            .busy(retryAfter: max(.seconds(1), fetches.wait(of: job, by: estimate)))
        }
    }

    private enum Admission {
        case start(FetchSlot)
        case wait(displaced: WaitingFetches.Entry?)
        case fail(FetchError)
    }

    private let makeSlot: @Sendable () -> FetchSlot
    private let state: Mutex<State>
    /// Refuses jobs that wait at their deadline.
    private let deadlines = DispatchQueue(label: "headroom.fetch.deadlines")

    /// A queue that makes its slots when they are first needed.
    init(limits: FetchLimits, makeSlot: @escaping @Sendable () -> FetchSlot) {
        self.makeSlot = makeSlot
        state = Mutex(State(fetches: WaitingFetches(limits: limits)))
    }

    /// How many fetches run, and how many wait for a slot.
    var load: (running: Int, waiting: Int) {
        state.withLock { ($0.fetches.runningCount, $0.fetches.entries.count) }
    }

    /// Starts the job, lets it wait, or resumes at once with `.busy` or `.cancelled`.
    func submit(_ job: FetchJob, continuation: CheckedContinuation<FetchJob.Outcome, Never>) {
        let entry = WaitingFetches.Entry(job: job, continuation: continuation)
        let admission = state.withLock { state -> Admission in
            // Under the same lock as in `cancel`, so a job cannot be cancelled on its way into the list.
            guard !job.isCancelled else { return .fail(.cancelled) }
            if state.fetches.canStart(job) {
                state.fetches.start(job)
                return .start(state.idle.popLast() ?? makeSlot())
            }
            guard state.fetches.wait(of: job, by: state.estimate) <= job.remaining else {
                return .fail(state.busy(job))
            }
            let (isWaiting, displaced) = state.fetches.add(entry)
            return isWaiting ? .wait(displaced: displaced) : .fail(state.busy(job))
        }
        switch admission {
        case .start(let slot): start(entry, on: slot)
        case .wait(let displaced):
            expire(job)
            if let displaced { refuse(displaced) }
        case .fail(let error): continuation.resume(returning: .failure(error))
        }
    }

    /// Ends the job early, wherever it is.
    func cancel(_ job: FetchJob) {
        let entry = state.withLock { state in
            job.cancel()
            return state.fetches.take(job)
        }
        entry?.continuation.resume(returning: .failure(.cancelled))
    }

    /// Refuses a job if it still waits at its deadline.
    private func expire(_ job: FetchJob) {
        deadlines.asyncAfter(deadline: .now() + job.remaining / .seconds(1)) { [weak self] in
            guard let self, let entry = state.withLock({ $0.fetches.take(job) }) else { return }
            refuse(entry)
        }
    }

    private func refuse(_ entry: WaitingFetches.Entry) {
        let busy = state.withLock { $0.busy(entry.job) }
        entry.continuation.resume(returning: .failure(busy))
    }

    private func start(_ entry: WaitingFetches.Entry, on slot: FetchSlot) {
        let startedAt = ContinuousClock.now
        slot.run(entry.job) { [self] outcome in
            // The slot goes on before the caller does: a caller that fetches again finds it free.
            let next = state.withLock { state -> (WaitingFetches.Entry, FetchSlot)? in
                // A fetch that was dropped says nothing about how long others take.
                if !entry.job.isCancelled { state.estimate.note(.now - startedAt) }
                state.fetches.end(entry.job)
                guard let next = state.fetches.takeNext() else {
                    state.idle.append(slot)
                    return nil
                }
                state.fetches.start(next.job)
                return (next, slot)
            }
            if let (next, slot) = next { start(next, on: slot) }
            entry.continuation.resume(returning: outcome)
        }
    }
}
