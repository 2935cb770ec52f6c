import UntrustedText
import Framing
import Geometry
import Pipeline

/// The value of `width` or `height`.
enum SideChoice: Sendable {
    /// A number of output pixels.
    case pixels(Int)
    /// A fraction of the framed image's side, above 0 and up to 1.
    case share(Double)

    /// Returns the form of the parameter: `400`, `50%` or, with `takesHints`, also `auto`.
    static func form(takesHints: Bool = false) -> ParameterForm<SideChoice> {
        let word = takesHints ? "\(ClientHints.word)|" : ""
        let pixels = "type: integer, minimum: 1, maximum: \(FrameParameters.maxSide)"
        func either(_ digits: String) -> String {
            "anyOf: [{ \(pixels) }, { type: string, pattern: '^(\(word)\(digits)[0-9.]+%)$' }]"
        }
        return .text(
            expected: "a whole number of pixels from 1 to \(FrameParameters.maxSide), or a percentage, for example 50%",
            listed: "pixels, 1 to \(FrameParameters.maxSide); `50%`" + (takesHints ? "; `auto`" : ""),
            placeholder: "px",
            schema: either(""),
            memberSchema: either("\(FrameParameters.sideDigits)|"),
            types: .init(python: "Union[int, str]", typeScript: "number | string"),
            SideChoice.init
        )
    }

    /// Parses pixels or a percentage; nil for other text, and for values outside the ranges.
    init?(_ text: String) {
        if text.bytes.hasSuffix("%") {
            guard let percent = Double(plainDecimal: text.dropLast()), percent > 0, percent <= 100 else { return nil }
            self = .share(percent / 100)
        } else {
            guard let pixels = Int(plainDigits: text), (1...FrameParameters.maxSide).contains(pixels) else {
                return nil
            }
            self = .pixels(pixels)
        }
    }

    /// The pixels; nil for a fraction.
    var pixels: Int? { if case .pixels(let pixels) = self { pixels } else { nil } }

    /// The fraction; nil for pixels.
    var share: Double? { if case .share(let share) = self { share } else { nil } }
}

/// The use of width and height for an image whose orientation differs from theirs.
package enum BoxChoice: String, CaseIterable, Sendable {
    /// Width and height are not changed.
    case fixed
    /// Width and height are swapped.
    case swap
    /// The whole image is scaled to fit inside width and height.
    case inside
}

/// The mirroring of an output, which follows its rotation.
package enum Flip: String, CaseIterable, Sendable {
    /// Left and right are swapped.
    case horizontal
    /// Top and bottom are swapped.
    case vertical
    /// Both are swapped, which is a rotation by 180°.
    case both
}
