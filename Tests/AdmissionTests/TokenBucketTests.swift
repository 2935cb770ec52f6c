import Admission
import Testing

@Suite struct TokenBucketTests {
    private static let second = 1_000_000

    @Test func `a full bucket contains the allowance for a minute and fills continuously`() {
        var bucket = TokenBucket()
        let amount = TokenBucket.amount(ofOneIn: 6)
        let start = 5 * Self.second
        for taken in 0..<6 {
            #expect(bucket.wait(for: amount, at: start) == 0, "\(taken)")
            bucket.take(amount, at: start)
        }
        #expect(bucket.wait(for: amount, at: start) == 10 * Self.second)
        #expect(bucket.wait(for: amount, at: start + 4 * Self.second) == 6 * Self.second)
        #expect(bucket.wait(for: amount, at: start + 10 * Self.second) == 0)
        #expect(bucket.missing(at: start + 59 * Self.second) == Self.second)
        #expect(bucket.missing(at: start + 90 * Self.second) == 0)
    }

    @Test func `a debt is repaid as fast as the bucket fills`() {
        var bucket = TokenBucket()
        // The allowance for three minutes.
        bucket.take(TokenBucket.amount(of: .seconds(30), in: .seconds(10)), at: 0)
        #expect(bucket.wait(for: 1, at: 0) == 120 * Self.second + 1)
        #expect(bucket.wait(for: 1, at: 120 * Self.second + 1) == 0)
    }

    @Test(arguments: [0, 1, -1, .max, .min, 60_000_000, 1 << 62])
    func `amounts and limits of any size cause no trap and do not fill a bucket`(amount: Int) {
        var bucket = TokenBucket()
        bucket.take(amount, at: 0)
        bucket.take(amount, at: 1)
        #expect(bucket.missing(at: 1) >= 0 && bucket.missing(at: 1) <= 2 * TokenBucket.maxAmount)
        #expect(bucket.wait(for: amount, at: 1) <= 2 * TokenBucket.maxAmount)
        #expect((1...TokenBucket.capacity).contains(TokenBucket.amount(ofOneIn: amount)))
    }

    @Test(arguments: [
        (Duration.seconds(1), Duration.seconds(60), 1_000_000), (.zero, .seconds(60), 0),
        (.seconds(-1), .seconds(60), 0), (.seconds(1_000_000), .milliseconds(1), TokenBucket.maxAmount),
        (.milliseconds(1), .seconds(100_000), 0),
    ])
    func `processor time is converted to an amount of a minute's allowance`(
        time: Duration,
        limit: Duration,
        expected: Int
    ) {
        #expect(TokenBucket.amount(of: time, in: limit) == expected)
    }
}
