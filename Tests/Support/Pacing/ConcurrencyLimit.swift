import Synchronization
public import Testing

/// Limits the number of tests that run at the same time.
///
/// Swift Testing starts all tests at once. Hundreds of servers, clients and processes would then share two cores, and
/// timeouts would fail tests that only wait for a processor.
public struct ConcurrencyLimit: TestTrait, SuiteTrait, TestScoping {
    /// Enough tests to use the processors while some tests wait for a timeout.
    private static let count = 12

    private struct State {
        var free = ConcurrencyLimit.count
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private static let state = Mutex(State())

    /// A suite applies the trait to each of its tests.
    public var isRecursive: Bool { true }

    /// Runs a test when a turn is free.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        await Self.take()
        defer { Self.give() }
        try await withTaskExecutorPreference(TestThreads.shared) { try await function() }
    }

    private static func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Gives the turn to the test that has waited longest.
    private static func give() {
        let next = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return CheckedContinuation<Void, Never>?.none
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}

extension Trait where Self == ConcurrencyLimit {
    /// Runs tests with limited concurrency.
    public static var limitedConcurrency: Self { Self() }
}
