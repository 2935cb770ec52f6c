/// How often a run tries again what may pass.
package struct RetryPolicy: Sendable {
    /// Tries after the first.
    package var count = 3
    /// The longest wait before the first retry; each further one is twice as long.
    package var first = Duration.milliseconds(500)
    /// The longest wait.
    package var longest = Duration.seconds(30)
    /// A share of the longest wait from 0.5 to 1, so that many clients do not return at once; tests replace it.
    package var jitter: @Sendable () -> Double = { .random(in: 0.5...1) }

    package init() {}

    /// The wait before a retry.
    ///
    /// - Parameter attempt: The number of tries that failed, from 1.
    /// - Returns: A time of at most ``longest``.
    package func delay(after attempt: Int) -> Duration {
        let doubled = first * Double(sign: .plus, exponent: min(max(attempt, 1), 32) - 1, significand: 1)
        return min(doubled, longest) * jitter()
    }
}
