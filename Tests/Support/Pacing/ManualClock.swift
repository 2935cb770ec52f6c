import Synchronization

/// A clock that tests advance.
public final class ManualClock: Sendable {
    private struct State {
        var now = ContinuousClock.now
        var timers: [(time: ContinuousClock.Instant, action: @Sendable () -> Void)] = []
    }

    private let state = Mutex(State())

    /// A clock that starts at the current time.
    public init() {}

    /// The time of this clock.
    public var now: ContinuousClock.Instant { state.withLock(\.now) }

    /// The number of calls that are due later.
    public var timers: Int { state.withLock(\.timers.count) }

    /// Calls a function at the given time: during the ``advance(by:)`` that reaches it, or at once if it has passed.
    public func call(at time: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.timers.append((time, action)) }
        advance(by: .zero)
    }

    /// Advances the clock.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.timers.filter { $0.time <= state.now }
            state.timers.removeAll { $0.time <= state.now }
            return due
        }
        for timer in due { timer.action() }
    }

    /// Advances the clock while `body` runs: a second every few milliseconds.
    public func advancing<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        let advancing = Task {
            while !Task.isCancelled {
                advance(by: .seconds(1))
                try? await Task.sleep(for: .milliseconds(5))
            }
        }
        defer { advancing.cancel() }
        return try await body()
    }

    /// Waits until the clock has advanced by a duration.
    public func pass(_ duration: Duration) async {
        let end = now + duration
        _ = await eventually { now >= end }
    }
}

/// A wall clock that tests advance, in seconds since 1970.
public final class ManualWallClock: Sendable {
    private let seconds = Atomic(1_700_000_000)

    /// A clock that starts on 14 November 2023.
    public init() {}

    /// Seconds since 1970.
    public var now: Int { seconds.load(ordering: .sequentiallyConsistent) }

    /// Advances the clock.
    public func advance(by more: Int) { seconds.add(more, ordering: .sequentiallyConsistent) }
}
