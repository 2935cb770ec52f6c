/// When a turn in a queue will come, judged by how long the work before it took.
package struct TurnEstimate: Sendable {
    /// A moving average; nil until something has been done, for nothing is known then.
    private var typical: Duration?

    /// Of a queue that has done nothing yet.
    package init() {}

    /// Takes note of how long a piece of work has held its place.
    package mutating func note(_ duration: Duration) {
        typical = typical.map { ($0 * 7 + duration) / 8 } ?? duration
    }

    /// The wait for somebody who comes now, while every place is taken.
    ///
    /// - Parameters:
    ///   - waiting: How many wait already.
    ///   - places: How many are served at the same time.
    /// - Returns: What that is likely to take; zero while nothing is known.
    package func wait(behind waiting: Int, places: Int) -> Duration {
        (typical ?? .zero) * (waiting + 1) / max(1, places)
    }
}
