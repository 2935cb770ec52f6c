package import Framing
import UntrustedText

extension Fallback {
    /// All words without an argument, for messages and documentation.
    package static let plainWords = plain.map(\.word)

    /// Parses a value of the `fallback` parameter: a word, or `point:X,Y`; nil for other text.
    package init?(_ text: String) {
        if let fallback = Self.plain.first(where: { $0.word == text }) {
            self = fallback
        } else if text.bytes.hasPrefix("point:"), let point = Fraction.pair(String(text.dropFirst(6))) {
            self = .point(x: point.x, y: point.y)
        } else {
            return nil
        }
    }
}
