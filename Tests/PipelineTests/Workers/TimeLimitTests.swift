import Pipeline
import Synchronization
import Testing

/// The time limit of a running job.
@Suite struct TimeLimitTests {
    private static let limit = Duration.seconds(10)

    /// Two clocks that the test sets.
    private final class Times: Sendable {
        private let start = ContinuousClock.now
        private let times = Mutex((elapsed: Duration.zero, processor: Duration.seconds(3)))

        var clocks: TimeLimit.Clocks {
            .init(
                now: { self.start + self.times.withLock { $0.elapsed } },
                processorTime: { self.times.withLock { $0.processor } }
            )
        }

        func pass(_ elapsed: Duration, ofWhichProcessor processor: Duration) {
            times.withLock { times in
                times.elapsed += elapsed
                times.processor += processor
            }
        }
    }

    private func outcome(after elapsed: Double, processor: Double) -> String {
        let times = Times()
        let limit = TimeLimit(Self.limit, times.clocks)
        times.pass(.seconds(elapsed), ofWhichProcessor: .seconds(processor))
        do throws(PipelineError) {
            try limit.check()
            return "continues"
        } catch {
            switch error {
            case .tookTooLong(Self.limit): return "too long"
            case .overloaded: return "overloaded"
            default: return "\(error)"
            }
        }
    }

    @Test(arguments: [
        (0, 0, "continues"), (9.9, 9.9, "continues"), (10.1, 10, "too long"), (10.1, 9.9, "continues"),
        // An encoder with several threads.
        (9, 30, "continues"), (11, 30, "too long"),
        // A busy machine.
        (12, 4, "continues"), (15.1, 4, "overloaded"), (15.1, 10, "too long"), (100, 0, "overloaded"),
    ])
    func `a job may use its processor time, and exceeds its limit by at most half`(
        elapsed: Double,
        processor: Double,
        expected: String
    ) {
        #expect(outcome(after: elapsed, processor: processor) == expected)
    }
}
