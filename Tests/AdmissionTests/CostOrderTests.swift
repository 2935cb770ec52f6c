import Admission
import Testing

@Suite struct CostOrderTests {
    private func line(_ running: [JobCost], _ waiting: [JobCost], places: Int) -> WaitingLine<QueueJob> {
        var estimate = TurnEstimate()
        estimate.note(.seconds(1))
        return WaitingLine(
            running: running.map { QueueJob($0) },
            waiting: waiting.map { QueueJob($0) },
            places: places,
            estimate: estimate
        )
    }

    @Test(
        arguments: [
            ([], [.usual, .high], 2, 0),
            ([], [.high, .usual], 2, 0),
            ([.high], [.high, .usual], 2, 1),
            ([.usual], [.high, .usual], 2, 0),
            ([.high], [.high, .high, .usual, .usual], 4, 0),
            ([.high, .high], [.high, .high, .usual, .usual], 4, 2),
            ([.high, .high], [.high, .high], 4, 0),
            ([], [.high, .usual], 1, 1),
            ([], [.high], 1, 0),
        ] as [([JobCost], [JobCost], Int, Int)]
    )
    func `costly jobs get half of the places while other jobs wait`(
        running: [JobCost],
        waiting: [JobCost],
        places: Int,
        next: Int
    ) {
        #expect(CostOrder().next(in: line(running, waiting, places: places)) == next)
    }

    @Test func `an empty queue has no next job`() {
        #expect(CostOrder().next(in: line([.high], [], places: 2)) == nil)
    }

    @Test func `the wait behind costly jobs depends on the remaining places`() {
        let order = CostOrder()
        let burst = line([.high, .high], Array(repeating: .high, count: 10), places: 2)
        #expect(order.wait(of: QueueJob(.usual), in: burst) == .seconds(1))
        #expect(order.wait(of: QueueJob(.high), in: burst) == .seconds(5.5))
        let others = line([.usual, .usual], [.usual, .usual, .usual], places: 2)
        #expect(order.wait(of: QueueJob(.usual), in: others) == .seconds(2))
    }

    @Test func `half of the places always serve usual jobs in order`() {
        // All combinations of four waiting jobs and up to three running ones.
        for places in 1...4 {
            for bits in 0..<256 {
                let all = (0..<8).map { bits & 1 << $0 == 0 ? JobCost.usual : .high }
                let (running, waiting) = (Array(all.prefix(min(places - 1, 3))), Array(all.suffix(4)))
                guard let next = CostOrder().next(in: line(running, waiting, places: places)) else {
                    Issue.record("no job is next")
                    continue
                }
                // The first job of its cost is selected.
                #expect(waiting.firstIndex(of: waiting[next]) == next)
                let costly = running.count { $0 == .high } + (waiting[next] == .high ? 1 : 0)
                #expect(waiting[next] == .usual || costly <= places / 2 || !waiting.contains(.usual))
            }
        }
    }
}
