/// How much there is to look at in each column and each row of an image.
///
/// The image is divided into equal columns and rows, few or many; what fills them is the caller's to say, and only their
/// proportions matter.
package struct AttentionProfile: Hashable, Sendable {
    /// From left to right.
    package let columns: [Int]
    /// From top to bottom.
    package let rows: [Int]

    /// The most that all columns, or all rows, may hold together, so that no sum over pixels overflows.
    package static let mostWeight = 1 << 30

    /// A profile of weights that are not negative.
    ///
    /// - Parameters:
    ///   - columns: From left to right, at least one; in all at most ``mostWeight``.
    ///   - rows: From top to bottom, at least one; in all at most ``mostWeight``.
    package init(columns: [Int], rows: [Int]) {
        for weights in [columns, rows] {
            precondition(!weights.isEmpty, "an image has columns and rows")
            precondition(weights.allSatisfy { (0...Self.mostWeight).contains($0) }, "weights are in range")
            precondition(weights.reduce(0, +) <= Self.mostWeight, "weights can be summed")
        }
        self.columns = columns
        self.rows = rows
    }

    /// Nothing to look at anywhere, so that only the preferred place counts.
    package static let empty = AttentionProfile(columns: [0], rows: [0])
}
