package import Framing
import Geometry

extension Placement {
    /// All words without an argument, for messages and documentation.
    package static let plainWords = plain.map(\.word)

    /// Parses a value of the `place` parameter: a word, or two fractions such as `0.3,0.5`; nil for other text.
    package init?(_ text: String) {
        if let place = Self.plain.first(where: { $0.word == text }) {
            self = place
        } else if let point = Fraction.pair(text) {
            self = .at(x: point.x, y: point.y)
        } else {
            return nil
        }
    }
}
