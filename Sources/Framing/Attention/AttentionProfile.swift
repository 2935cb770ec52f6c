import Geometry

/// The attention weights of an image, summed for each column and each row.
///
/// The image is divided into any number of equal columns and rows. Only the proportions of the weights matter.
package struct AttentionProfile: Hashable, Sendable {
    /// Weights across and down the image.
    package struct Lines: Hashable, Sendable {
        /// From left to right.
        package let columns: [Int]
        /// From top to bottom.
        package let rows: [Int]

        /// Creates the lines; weights must not be negative.
        ///
        /// - Parameters:
        ///   - columns: From left to right, at least one; in all at most ``AttentionProfile/mostWeight``.
        ///   - rows: From top to bottom, at least one; in all at most ``AttentionProfile/mostWeight``.
        package init(columns: [Int], rows: [Int]) {
            for weights in [columns, rows] {
                precondition(!weights.isEmpty, "an image has columns and rows")
                precondition(weights.allSatisfy { (0...mostWeight).contains($0) }, "weights are in range")
                precondition(weights.reduce(0, +) <= mostWeight, "weights can be summed")
            }
            self.columns = columns
            self.rows = rows
        }

        /// No weight anywhere.
        package static let empty = Lines(columns: [0], rows: [0])
    }

    /// What attracts attention.
    package let drawing: Lines
    /// All detail, whether it attracts attention or not.
    package let detail: Lines
    /// The expected kind of subject.
    package let expected: ExpectedSubject

    /// The largest sum over all columns, or over all rows; it prevents overflow of sums over pixels.
    package static let mostWeight = 1 << 30

    /// A profile of attention and of all detail.
    package init(drawing: Lines, detail: Lines = .empty, expecting expected: ExpectedSubject = .people) {
        self.drawing = drawing
        self.detail = detail
        self.expected = expected
    }

    /// No weight anywhere, so that only the position prior counts.
    package static let empty = AttentionProfile(drawing: .empty)
}
