import Admission
import Glibc
import Synchronization
import TestPacing
import Testing

/// Calls that may block, with gates and a clock that the test controls.
@Suite(.limitedConcurrency) struct TimedCallTests {
    private typealias Call = TimedCall<Int>

    /// A call that returns its number after the test opens its gate.
    private final class Calls: Sendable {
        let clock = ManualClock()
        let outcomes = Mutex<[String]>([])
        private let started = Atomic(0)
        private let open = Mutex<Set<Int>>([])

        var count: Int { started.load(ordering: .sequentiallyConsistent) }

        func make() -> Call {
            Call(limit: .seconds(10), time: clock.queueTime) { [self] in
                let number = started.add(1, ordering: .sequentiallyConsistent).newValue
                while !open.withLock({ $0.contains(number) }) { usleep(1000) }
                return number
            } handle: { [self] outcome in
                let text =
                    switch outcome {
                    case .returned(let number): "returned \(number)"
                    case .timedOut: "timed out"
                    case .refused(let hanging): "refused \(hanging)"
                    }
                outcomes.withLock { $0.append(text) }
            }
        }

        func end(_ number: Int) { open.withLock { _ = $0.insert(number) } }

        func eventually(_ expected: [String]) async -> Bool {
            await TestPacing.eventually { outcomes.withLock { $0 == expected } }
        }
    }

    @Test func `one call runs at a time, and requests during a call lead to one more call`() async {
        let calls = Calls()
        let call = calls.make()
        call.request()
        #expect(await eventually { calls.count == 1 })
        for _ in 0..<3 { call.request() }
        calls.end(1)
        #expect(await eventually { calls.count == 2 })
        calls.end(2)
        #expect(await calls.eventually(["returned 1", "returned 2"]))
        calls.clock.advance(by: .seconds(60))
        call.request()
        calls.end(3)
        #expect(await calls.eventually(["returned 1", "returned 2", "returned 3"]))
    }

    @Test func `a call that takes too long is reported, and its result is discarded`() async {
        let calls = Calls()
        let call = calls.make()
        call.request()
        #expect(await eventually { calls.count == 1 })
        calls.clock.advance(by: .seconds(9))
        calls.clock.advance(by: .seconds(1))
        #expect(await calls.eventually(["timed out"]))
        call.request()
        #expect(await eventually { calls.count == 2 })
        calls.end(1)
        calls.end(2)
        #expect(await calls.eventually(["timed out", "returned 2"]))
    }

    @Test func `the number of hanging calls is limited, and new calls are rejected until one returns`() async {
        let calls = Calls()
        let call = calls.make()
        var expected: [String] = []
        for number in 1...Call.maxHanging {
            call.request()
            #expect(await eventually { calls.count == number })
            calls.clock.advance(by: .seconds(10))
            expected.append("timed out")
            #expect(await calls.eventually(expected))
        }
        call.request()
        expected.append("refused \(Call.maxHanging)")
        #expect(await calls.eventually(expected))
        calls.end(1)
        // The thread of the first call ends after some time.
        #expect(
            await eventually {
                call.request()
                return calls.count > Call.maxHanging
            }
        )
        for number in 1...9 { calls.end(number) }
    }
}
