/// A token bucket that holds the allowance of one minute, in the form of the generic cell rate algorithm (ITU-T I.371).
///
/// All amounts are microseconds of a minute's allowance: of 600 requests a minute, one takes 100,000. So the state is
/// one number, ``fullAt``, whatever the limit is, and a limit may change between two calls.
package struct TokenBucket: Hashable, Sendable {
    /// The content of a full bucket: one minute, in microseconds.
    package static let capacity = 60_000_000

    /// The largest amount that one call may take, in microseconds: an hour's allowance.
    package static let maxAmount = 3_600_000_000

    /// The time at which the bucket is full again, in microseconds of the caller's clock; times in the past mean full.
    package var fullAt = Int.min

    /// A full bucket.
    package init() {}

    /// The time until an amount is in the bucket.
    ///
    /// - Parameters:
    ///   - amount: Microseconds of allowance, up to ``capacity``.
    ///   - now: Microseconds of the caller's clock.
    /// - Returns: Microseconds; 0 if the bucket has the amount.
    package func wait(for amount: Int, at now: Int) -> Int {
        max(0, missing(at: now) + min(max(0, amount), Self.capacity) - Self.capacity)
    }

    /// Takes an amount; if the bucket does not have it, it goes into debt.
    package mutating func take(_ amount: Int, at now: Int) {
        fullAt = now + missing(at: now) + min(max(0, amount), Self.maxAmount)
    }

    /// The amount that this bucket lacks to be full, in microseconds; more than ``capacity`` if it is in debt.
    package func missing(at now: Int) -> Int { fullAt > now ? fullAt - now : 0 }

    /// The amount of one of `limit` events a minute, at least one microsecond.
    ///
    /// - Parameter limit: Events a minute.
    /// - Returns: Microseconds of allowance.
    package static func amount(ofOneIn limit: Int) -> Int { max(1, capacity / max(1, limit)) }

    /// The amount of processor time at a limit for each minute.
    ///
    /// - Parameters:
    ///   - time: Processor time; a negative one counts as none.
    ///   - limit: Processor time a minute, more than zero.
    /// - Returns: Microseconds of allowance, up to ``maxAmount``.
    package static func amount(of time: Duration, in limit: Duration) -> Int {
        let share = max(0, time / limit) * Double(capacity)
        return share < Double(maxAmount) ? Int(share) : maxAmount
    }
}
