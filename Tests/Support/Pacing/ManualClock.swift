import Synchronization

/// A clock that tests advance.
public final class ManualClock: Sendable {
    private let time = Mutex(ContinuousClock.now)

    /// A clock that starts at the present time.
    public init() {}

    /// The time of this clock.
    public var now: ContinuousClock.Instant { time.withLock { $0 } }

    /// Advances the clock.
    public func advance(by duration: Duration) { time.withLock { $0 += duration } }

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
