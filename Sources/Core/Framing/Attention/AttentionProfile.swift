import Geometry

/// The attention weights of an image, summed for each column and each row.
///
/// The image is divided into any number of equal columns and rows. Only the proportions of the weights matter.
package struct AttentionProfile: Hashable, Sendable {
    /// Attention from left to right, and from top to bottom.
    package let columns, rows: [Int]
    /// The detail from left to right, and from top to bottom.
    package let detailColumns, detailRows: [Int]

    /// The maximum sum over all columns, or over all rows; it prevents overflow of sums over pixels.
    package static let maxWeight = 1 << 30

    /// Creates a profile; weights must not be negative.
    ///
    /// - Parameters:
    ///   - columns: From left to right; the sum is in 1…``maxWeight``.
    ///   - rows: From top to bottom; the sum is in 1…``maxWeight``.
    ///   - detailColumns: From left to right, at least one; the sum is at most ``maxWeight``.
    ///   - detailRows: From top to bottom, at least one; the sum is at most ``maxWeight``.
    package init(columns: [Int], rows: [Int], detailColumns: [Int] = [0], detailRows: [Int] = [0]) {
        for weights in [columns, rows, detailColumns, detailRows] {
            precondition(!weights.isEmpty, "an image has columns and rows")
            precondition(weights.allSatisfy { (0...Self.maxWeight).contains($0) }, "weights are in range")
            precondition(weights.reduce(0, +) <= Self.maxWeight, "weights can be summed")
        }
        precondition(columns.contains { $0 > 0 } && rows.contains { $0 > 0 }, "there is some attention")
        self.columns = columns
        self.rows = rows
        self.detailColumns = detailColumns
        self.detailRows = detailRows
    }

    /// The same weight everywhere, so that the crop is in the centre.
    package static let uniform = AttentionProfile(columns: [1], rows: [1])
}
