/// What replaces the pixels of a redacted head.
package enum RedactionStyle: String, Hashable, Codable, Sendable, CaseIterable {
    /// A smooth transition between the mean colours of a few cells.
    case blur
    /// The mean colours of cells, with their edges.
    case pixelate
    /// Plain grey.
    case fill

    /// How many cells a head has across and down.
    ///
    /// A blur of 3 by 4 cells is smooth enough that OpenCV's cascades took 3 of 914 for a face.
    var cells: (across: Int, down: Int) {
        switch self {
        case .blur: (2, 2)
        case .pixelate: (3, 4)
        case .fill: (1, 1)
        }
    }
}

/// The outline of a redacted area: a superellipse (Lamé curve) through the corners of a rectangle, so it covers all of it.
package enum RedactionShape: String, Hashable, Codable, Sendable, CaseIterable {
    /// A rounded rectangle, of exponent 4: 19 % wider and higher in the middle of its sides.
    case rounded
    /// An ellipse: 41 % wider and higher in the middle of its sides. It covers all that ``rounded`` covers.
    case oval

    /// The size of the curve relative to the rectangle.
    var reach: Double {
        switch self {
        case .rounded: 1.189_207_115
        case .oval: 1.414_213_562
        }
    }
}
