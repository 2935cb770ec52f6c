/// The outline of a redacted area: a superellipse (Lamé curve) through the corners of a rectangle, so that it covers
/// the whole rectangle.
package enum RedactionShape: String, Hashable, Codable, Sendable, CaseIterable {
    /// A rounded rectangle, of exponent 4: 19 % wider and taller in the middle of its sides.
    case rounded
    /// An ellipse: 41 % wider and taller in the middle of its sides.
    ///
    /// It covers everything inside ``rounded``.
    case oval

    /// The size of the curve relative to the rectangle.
    var reach: Double {
        switch self {
        case .rounded: 1.189_207_115
        case .oval: 1.414_213_562
        }
    }
}
