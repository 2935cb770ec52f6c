/// How much there is to look at in each column and each row of an image.
///
/// The image is divided into equal columns and rows, few or many; what fills them is the caller's to say, and only their
/// proportions matter.
package struct AttentionProfile: Hashable, Sendable {
    /// What lies across the image, and what lies down it.
    package struct Lines: Hashable, Sendable {
        /// From left to right.
        package let columns: [Int]
        /// From top to bottom.
        package let rows: [Int]

        /// Weights that are not negative.
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

        /// Nothing anywhere.
        package static let empty = Lines(columns: [0], rows: [0])
    }

    /// What draws the eye.
    package let drawing: Lines
    /// What there is to see, whether it draws the eye or not.
    package let detail: Lines
    /// What the image is taken to show.
    package let expected: ExpectedSubject

    /// The most that all columns, or all rows, may hold together, so that no sum over pixels overflows.
    package static let mostWeight = 1 << 30

    /// A profile of what draws the eye, and of all there is to see.
    package init(drawing: Lines, detail: Lines = .empty, expecting expected: ExpectedSubject = .people) {
        self.drawing = drawing
        self.detail = detail
        self.expected = expected
    }

    /// Nothing to look at anywhere, so that only the preferred place counts.
    package static let empty = AttentionProfile(drawing: .empty)
}
