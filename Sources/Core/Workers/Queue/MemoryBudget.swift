package import Admission
import Dispatch
package import Pipeline
import Synchronization

/// A memory budget in bytes for running jobs.
///
/// A job reserves its estimate on its worker, after the image's header has been read.
///
/// A job that has to wait blocks its worker. Jobs are served in order of arrival, so that small jobs cannot starve a
/// large job. However, other jobs can overtake a job that waits for its client's fair share (``ByteLedger``).
package final class MemoryBudget: Sendable {
    private final class Waiter: Sendable {
        let bytes: Int
        let client: Client?
        /// Signalled when the memory has been reserved, and when the job is cancelled.
        let wake = DispatchSemaphore(value: 0)

        init(bytes: Int, client: Client?) {
            self.bytes = bytes
            self.client = client
        }
    }

    private struct State {
        var taken: ByteLedger
        var waiting: [Waiter] = []
    }

    /// Maximum number of bytes that are reserved at the same time.
    package let limit: Int
    private let state: Mutex<State>

    /// Creates an empty budget.
    ///
    /// - Parameter limit: The maximum number of bytes of all jobs together; ``ByteLedger`` derives a client's fair
    ///   share from it.
    package init(limit: Int) {
        self.limit = limit
        state = Mutex(State(taken: ByteLedger(limit: limit)))
    }

    /// The number of bytes that jobs have reserved.
    package var used: Int { state.withLock { $0.taken.used } }

    /// The number of jobs that are waiting for memory.
    package var waiting: Int { state.withLock { $0.waiting.count } }

    /// Waits for memory and reserves it.
    ///
    /// ``give(_:of:)`` must release it.
    ///
    /// - Parameters:
    ///   - bytes: The memory of the job, estimated from headers.
    ///   - context: Its deadline and cancellation end the wait. The memory counts for its client.
    /// - Throws: ``PipelineError/tooMuchMemory(bytes:limit:)`` for a job that exceeds the whole budget,
    ///   ``PipelineError/overloaded(retryAfter:)`` at the deadline, or ``PipelineError/cancelled``.
    package func take(_ bytes: Int, _ context: JobContext = JobContext()) throws(PipelineError) {
        guard bytes <= limit else { throw .tooMuchMemory(bytes: bytes, limit: limit) }
        let waiter = Waiter(bytes: bytes, client: context.limits.client)
        let mustWait = state.withLock { state in
            state.waiting.append(waiter)
            admitWaiting(&state)
            return state.waiting.last === waiter
        }
        guard mustWait else { return }
        context.cancellation.withHandler({ waiter.wake.signal() }) {
            guard let deadline = context.deadline else { return waiter.wake.wait() }
            let rest = max(.zero, deadline - .now)
            _ = waiter.wake.wait(timeout: .now() + rest / .seconds(1))
        }
        guard withdraw(waiter) else { return }
        try context.check()
        throw .overloaded(retryAfter: .seconds(1))
    }

    /// Releases bytes that a client's job has reserved.
    package func give(_ bytes: Int, of client: Client? = nil) {
        state.withLock { state in
            state.taken.remove(bytes, for: client)
            admitWaiting(&state)
        }
    }

    /// Removes a waiter from the list.
    ///
    /// Returns false if its memory has already been reserved.
    private func withdraw(_ waiter: Waiter) -> Bool {
        state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0 === waiter }) else { return false }
            state.waiting.remove(at: index)
            // Smaller jobs after this job may fit now.
            admitWaiting(&state)
            return true
        }
    }

    private func admitWaiting(_ state: inout State) {
        var index = 0
        while index < state.waiting.count {
            let waiter = state.waiting[index]
            switch state.taken.refusal(of: waiter.bytes, for: waiter.client) {
            case .all: return
            // This job waits for its client's fair share. Only the same client can release memory for it.
            case .client: index += 1
            case nil:
                state.taken.add(waiter.bytes, for: waiter.client)
                state.waiting.remove(at: index)
                waiter.wake.signal()
            }
        }
    }
}

/// Returns memory to the system after a second without jobs.
///
/// While jobs run, memory is reused for the next image, because new pages cost more than scaling a small image.
final class IdleMemory: Sendable {
    private static let delay = DispatchTimeInterval.seconds(1)

    private let release: @Sendable () -> Void
    private let isPending = Atomic(false)

    /// - Parameter release: Returns the memory to the system.
    init(release: @escaping @Sendable () -> Void) { self.release = release }

    /// Must be called at the end of each job.
    ///
    /// `isIdle` is evaluated now, and again before memory is released.
    func jobEnded(isIdle: @escaping @Sendable () -> Bool) {
        guard isIdle(), !isPending.exchange(true, ordering: .relaxed) else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.delay) {
            self.isPending.store(false, ordering: .relaxed)
            if isIdle() { self.release() }
        }
    }
}
