/// When a turn in a queue will come, judged by how long the work before it took.
package struct TurnEstimate: Sendable {
    /// The number of jobs in the average: few enough to follow changes, and enough that a single long job causes no
    /// refusals.
    private static let memory = 32

    /// A moving average, zero while nothing is known.
    private var typical = Duration.zero
    private var count = 0

    /// Of a queue that has done nothing yet.
    package init() {}

    /// Takes note of how long a piece of work has held its place.
    package mutating func note(_ duration: Duration) {
        count = min(count + 1, Self.memory)
        typical += (duration - typical) / count
    }

    /// The likely wait of a job that comes now, while every place is taken.
    ///
    /// - Parameters:
    ///   - waiting: How many wait already.
    ///   - places: How many are served at the same time.
    /// - Returns: What that is likely to take; zero while nothing is known.
    package func wait(behind waiting: Int, places: Int) -> Duration {
        typical * (waiting + 1) / max(1, places)
    }
}
