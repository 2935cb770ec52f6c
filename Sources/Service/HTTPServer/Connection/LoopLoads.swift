/// The number of connections of each event loop.
struct LoopLoads {
    /// A loop keeps a connection that it has accepted if it has at most this number more connections than the other
    /// loops.
    ///
    /// Passing a connection to another loop needs one or two thread switches, which take as long as a small response.
    private static let tolerance = 2

    private var counts: [Int]

    init(loopCount: Int) {
        // bounded: the number of loops
        counts = Array(repeating: 0, count: loopCount)
    }

    /// Counts a new connection.
    ///
    /// Each call needs a later call to ``remove(_:)``.
    ///
    /// - Parameter index: The loop that has accepted the connection; nil if it was accepted outside the loops.
    /// - Returns: The loop that must serve it: `index`, unless another loop has clearly fewer connections.
    mutating func add(acceptedBy index: Int?) -> Int {
        let least = counts.indices.min { counts[$0] < counts[$1] } ?? 0
        var chosen = least
        if let index, counts[index] <= counts[least] + counts[least] / 8 + Self.tolerance { chosen = index }
        counts[chosen] += 1
        return chosen
    }

    /// Removes a closed connection of a loop.
    mutating func remove(_ index: Int) { counts[index] -= 1 }
}
