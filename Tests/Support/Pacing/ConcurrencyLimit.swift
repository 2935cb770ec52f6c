import Synchronization
public import Testing

/// Lets only some tests run at once.
///
/// Swift Testing begins all of them at the same time. Hundreds of servers, clients and processes then share two cores:
/// whoever waits for an answer waits for all others, and what bounds a hang ends a test that only had to wait.
public struct ConcurrencyLimit: TestTrait, SuiteTrait, TestScoping {
    /// Enough to have something to do while some wait for a timeout.
    private static let count = 12

    private struct State {
        var free = ConcurrencyLimit.count
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private static let state = Mutex(State())

    /// Suites give it to all of their tests.
    public var isRecursive: Bool { true }

    /// Runs a test when it is its turn.
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

    /// Hands the turn on to who has waited longest.
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
    /// Runs tests beside a few others only.
    public static var limitedConcurrency: Self { Self() }
}
