import Admission
import Testing

@Suite struct TurnEstimateTests {
    @Test func `without measurements the wait is 0`() {
        #expect(TurnEstimate().wait(behind: 1000, places: 1) == .zero)
    }

    @Test(arguments: [(0, 1, 100), (1, 1, 200), (0, 2, 50), (9, 4, 250), (3, 0, 400)])
    func `the estimated wait is the time of the earlier jobs, which share the places`(
        waiting: Int,
        places: Int,
        milliseconds: Int
    ) {
        var estimate = TurnEstimate()
        estimate.note(.milliseconds(100))
        #expect(estimate.wait(behind: waiting, places: places) == .milliseconds(milliseconds))
    }

    @Test func `the first jobs have equal weight in the estimate`() {
        var estimate = TurnEstimate()
        for milliseconds in [900, 100, 200, 0] { estimate.note(.milliseconds(milliseconds)) }
        #expect(estimate.wait(behind: 0, places: 1) == .milliseconds(300))
    }

    @Test func `the estimate follows a lasting change, and one exceptional job has little effect`() {
        var estimate = TurnEstimate()
        for _ in 0..<100 { estimate.note(.milliseconds(100)) }
        estimate.note(.milliseconds(900))
        #expect(estimate.wait(behind: 0, places: 1) == .milliseconds(125))
        for _ in 0..<300 { estimate.note(.milliseconds(20)) }
        let wait = estimate.wait(behind: 0, places: 1)
        #expect(wait >= .milliseconds(20) && wait < .milliseconds(21))
    }
}
