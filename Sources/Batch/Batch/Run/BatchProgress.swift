/// A report of a run's progress.
package struct BatchProgress: Encodable, Sendable {
    package var done, failed: Int
    /// The part of ``skipped`` that failed in an earlier run.
    package var failedBefore: Int
    package var skipped, known, retries: Int
    /// All rows of the input; nil until they are counted.
    package var total: Int?
    /// Seconds since the start of the run.
    package var seconds: Double
    /// Images per second, including failed ones.
    package var rate: Double
    /// Remaining seconds at this rate; nil without a total.
    package var remaining: Double?
    package var isFinal: Bool

    init(_ tally: BatchTally, total: Int?, time: Duration, isFinal: Bool) {
        done = tally.done
        failed = tally.failed
        failedBefore = tally.failedBefore
        skipped = tally.skipped
        known = tally.known
        retries = tally.retries
        self.total = total
        self.isFinal = isFinal
        let seconds = max(time / .seconds(1), 0.001)
        let finished = tally.done + tally.failed
        self.seconds = Self.rounded(seconds)
        rate = Self.rounded(Double(finished) / seconds)
        if let total, finished > 0, !isFinal {
            let left = max(0, total - finished - tally.skipped)
            remaining = Self.rounded(Double(left) * seconds / Double(finished))
        }
    }

    private static func rounded(_ number: Double) -> Double { (number * 100).rounded() / 100 }

    private enum CodingKeys: String, CodingKey {
        case done, failed, failedBefore, skipped, known, retries, total, seconds, rate, remaining
        case isFinal = "final"
    }

    package var text: String {
        var parts = ["\(done) done", "\(failed) failed"]
        if skipped > failedBefore { parts.append("\(skipped - failedBefore) already done") }
        if failedBefore > 0 { parts.append("\(failedBefore) failed earlier") }
        if let total { parts.append("of \(total)") }
        parts.append("\(rate)/s")
        if let remaining { parts.append("\(Self.clock(remaining)) left") }
        return parts.joined(separator: ", ")
    }

    private static func clock(_ seconds: Double) -> String {
        let whole = Int(min(seconds, 1e9))
        let digits = [whole / 3600, whole / 60 % 60, whole % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return digits.joined(separator: ":")
    }
}
