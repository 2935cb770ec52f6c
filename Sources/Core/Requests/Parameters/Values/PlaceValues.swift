import UntrustedText
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

/// The value of `aspect`: a list of aspect ratios, or the aspect ratio of the group of heads.
enum ShapeChoice: Sendable {
    /// Aspect ratios, in the requested order; nil means the image's own aspect ratio.
    case list([AspectRatio?])
    /// The aspect ratio of the rectangle around all heads and their padding.
    case faces

    /// Parses `faces`, or aspect ratios separated by commas; nil for other text or too many aspect ratios.
    init?(_ text: String) {
        if text == "faces" {
            self = .faces
        } else if let shapes = text.list(",", atMost: FrameParameters.maxAspects, { AspectRatio(String($0)) }) {
            self = .list(shapes)
        } else {
            return nil
        }
    }
}
