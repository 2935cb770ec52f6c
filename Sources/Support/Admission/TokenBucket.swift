/// A token bucket with the allowance of one minute, in the form of the generic cell rate algorithm (ITU-T I.371).
///
/// All amounts are microseconds of a minute's allowance: with a limit of 600 requests per minute, one request takes
/// 100,000. So the state is one number, ``fullAt``, for any limit, and a limit may change between two calls.
package struct TokenBucket: Hashable, Sendable {
    /// The content of a full bucket: one minute, in microseconds.
    package static let capacity = 60_000_000

    /// The maximum amount of one call, in microseconds: an hour's allowance.
    package static let maxAmount = 3_600_000_000

    /// The time when the bucket is full again, in microseconds of the caller's clock; a time in the past means full.
    package var fullAt = Int.min

    /// Creates a full bucket.
    package init() {}

    /// Returns the time until the bucket contains an amount.
    ///
    /// - Parameters:
    ///   - amount: Microseconds of allowance, up to ``capacity``.
    ///   - now: Microseconds of the caller's clock.
    /// - Returns: Microseconds; 0 if the bucket contains the amount.
    package func wait(for amount: Int, at now: Int) -> Int {
        max(0, missing(at: now) + min(max(0, amount), Self.capacity) - Self.capacity)
    }

    /// Takes an amount; if the bucket does not contain it, the bucket goes into debt.
    package mutating func take(_ amount: Int, at now: Int) {
        fullAt = now + missing(at: now) + min(max(0, amount), Self.maxAmount)
    }

    /// Returns the amount that is missing until the bucket is full, in microseconds; more than ``capacity`` if it is in
    /// debt.
    package func missing(at now: Int) -> Int { fullAt > now ? fullAt - now : 0 }

    /// Returns the amount of one of `limit` events per minute, at least one microsecond.
    ///
    /// - Parameter limit: Events per minute.
    /// - Returns: Microseconds of allowance.
    package static func amount(ofOneIn limit: Int) -> Int { max(1, capacity / max(1, limit)) }

    /// Returns the amount of processor time at a limit per minute.
    ///
    /// - Parameters:
    ///   - time: Processor time; a negative time counts as zero.
    ///   - limit: Processor time per minute, more than zero.
    /// - Returns: Microseconds of allowance, up to ``maxAmount``.
    package static func amount(of time: Duration, in limit: Duration) -> Int {
        let share = max(0, time / limit) * Double(capacity)
        return share < Double(maxAmount) ? Int(share) : maxAmount
    }
}
