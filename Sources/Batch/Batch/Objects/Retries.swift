import Fetching
import Synchronization

/// The number of retries after transient failures, and their delays.
package struct RetryPolicy: Sendable {
    /// The maximum number of attempts after the first.
    package var count = 3
    /// The wait before the first retry.
    ///
    /// Each further wait is twice as long, up to ``longest``. ``jitter`` shortens every wait.
    package var first = Duration.milliseconds(500)
    /// The maximum wait, before ``jitter`` shortens it.
    package var longest = Duration.seconds(30)
    /// A factor from 0.5 to 1 that shortens a wait, so that many clients do not retry at the same time; tests replace
    /// it.
    package var jitter: @Sendable () -> Double = { .random(in: 0.5...1) }

    /// Three retries, after at most 0.5, 1 and 2 seconds.
    package init() {}

    /// The wait before a retry.
    ///
    /// - Parameter attempt: The number of failed attempts, from 1.
    /// - Returns: At most ``longest``.
    package func delay(after attempt: Int) -> Duration {
        let doubled = first * Double(sign: .plus, exponent: min(max(attempt, 1), 32) - 1, significand: 1)
        return min(doubled, longest) * jitter()
    }
}

/// Repeats an action after transient failures.
struct Retries: Sendable {
    /// The reason why an attempt failed.
    struct Failure: Error {
        var error: RowError
        /// Whether another attempt may succeed.
        var isTransient = false
        /// Whether a limit of this process caused the failure; such an attempt is not counted.
        var isLocalLimit = false
        /// Whether every other job would fail in the same way, so that the run must stop.
        var isFatal = false
    }

    struct Tried<Value: Sendable>: Sendable {
        var result: Result<Value, Failure>
        var attempts: Int
        /// Whether a stop was requested before the last attempt.
        var isAbandoned = false
    }

    let policy: RetryPolicy
    let clock: BatchClock
    let stop: StopRequest

    func run<Value>(_ body: () async throws(Failure) -> Value) async -> Tried<Value> {
        var attempts = 1
        while true {
            do throws(Failure) {
                return Tried(result: .success(try await body()), attempts: attempts)
            } catch {
                guard error.isTransient, error.isLocalLimit || attempts <= policy.count else {
                    return Tried(result: .failure(error), attempts: attempts)
                }
                let delay = policy.delay(after: error.isLocalLimit ? 1 : attempts)
                guard await stop.sleep(delay, clock) else {
                    return Tried(result: .failure(error), attempts: attempts, isAbandoned: true)
                }
                if !error.isLocalLimit { attempts += 1 }
            }
        }
    }
}

/// A request to stop a run: started images are finished, and waits before retries end early.
package final class StopRequest: Sendable {
    private struct State {
        var isRequested = false
        var sleepers: [UInt64: Task<Void, any Error>] = [:]
        var next: UInt64 = 0
        var handlers: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// A stop that is not requested yet.
    package init() {}

    package var isRequested: Bool { state.withLock { $0.isRequested } }

    /// Requests the stop, and cancels all waits.
    package func request() {
        let (sleepers, handlers) = state.withLock { state in
            state.isRequested = true
            defer { state.handlers = [] }
            return (state.sleepers.values.map(\.self), state.handlers)
        }
        for sleeper in sleepers { sleeper.cancel() }
        for handler in handlers { handler() }
    }

    /// Calls a handler when a stop is requested; immediately if a stop was already requested.
    func whenRequested(_ handler: @escaping @Sendable () -> Void) {
        let isRequested = state.withLock { state in
            if !state.isRequested { state.handlers.append(handler) }
            return state.isRequested
        }
        if isRequested { handler() }
    }

    /// Waits for a time or a stop; false if a stop was requested.
    func sleep(_ time: Duration, _ clock: BatchClock) async -> Bool {
        let task = Task { try await clock.sleep(time) }
        let number: UInt64? = state.withLock { state -> UInt64? in
            guard !state.isRequested else { return nil }
            state.next += 1
            state.sleepers[state.next] = task
            return state.next
        }
        guard let number else {
            task.cancel()
            return false
        }
        _ = await task.result
        return state.withLock { state in
            state.sleepers[number] = nil
            return !state.isRequested
        }
    }
}

/// The clock of a run; tests replace it.
package struct BatchClock: Sendable {
    package var now: @Sendable () -> ContinuousClock.Instant
    package var sleep: @Sendable (Duration) async throws -> Void

    /// A clock with replaced functions.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - sleep: Waits; it throws if its task is cancelled.
    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    package static let system = BatchClock(now: { .now }, sleep: { try await Task.sleep(for: $0) })
}
