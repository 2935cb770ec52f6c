/// A token bucket with an allowance per minute, implemented as the generic cell rate algorithm (ITU-T I.371).
///
/// All amounts are in microseconds of the allowance for a minute. For example, with a limit of 600 requests per minute,
/// one request takes 100,000. The state is therefore a single number, ``fullAt``, for any limit, and the limit may
/// change between two calls.
package struct TokenBucket: Hashable, Sendable {
    /// The content of a full bucket: one minute, in microseconds.
    package static let capacity = 60_000_000

    /// The maximum amount of one call in microseconds, which is the allowance for an hour.
    package static let maxAmount = 3_600_000_000

    /// The time when the bucket will be full, in microseconds of the caller's clock.
    ///
    /// A time in the past means that the bucket is full.
    package var fullAt = Int.min

    /// Creates a full bucket.
    package init() {}

    /// Returns the time until the bucket contains an amount.
    ///
    /// - Parameters:
    ///   - amount: The amount in microseconds of allowance, up to ``capacity``.
    ///   - now: The current time in microseconds of the caller's clock.
    /// - Returns: The time in microseconds; 0 if the bucket contains the amount.
    package func wait(for amount: Int, at now: Int) -> Int {
        max(0, missing(at: now) + min(max(0, amount), Self.capacity) - Self.capacity)
    }

    /// Takes an amount.
    ///
    /// If the bucket does not contain the amount, the bucket then has a debt.
    package mutating func take(_ amount: Int, at now: Int) {
        fullAt = now + missing(at: now) + min(max(0, amount), Self.maxAmount)
    }

    /// Returns the amount that is missing until the bucket is full, in microseconds.
    ///
    /// It is larger than ``capacity`` if the bucket has a debt.
    package func missing(at now: Int) -> Int { fullAt > now ? fullAt - now : 0 }

    /// Returns the amount for one event if `limit` events per minute are allowed; at least one microsecond.
    ///
    /// - Parameter limit: The number of events per minute.
    /// - Returns: Microseconds of allowance.
    package static func amount(ofOneIn limit: Int) -> Int { max(1, capacity / max(1, limit)) }

    /// Returns the amount for some processor time if `limit` of processor time per minute is allowed.
    ///
    /// - Parameters:
    ///   - time: The processor time; a negative time counts as zero.
    ///   - limit: The processor time per minute, which must be more than zero.
    /// - Returns: Microseconds of allowance, up to ``maxAmount``.
    package static func amount(of time: Duration, in limit: Duration) -> Int {
        let share = max(0, time / limit) * Double(capacity)
        return share < Double(maxAmount) ? Int(share) : maxAmount
    }
}
