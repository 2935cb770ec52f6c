import Framing
import Pipeline

extension Redaction {
    /// Parses rectangles separated by semicolons; nil for other text or too many rectangles.
    static func areas(_ text: String) -> [Region]? { text.list(";", atMost: maxAreas) { Region(String($0)) } }

    /// The choice of redacted heads, as a regular expression.
    static let facesPattern = "(all|others|none|[1-9][0-9]{0,11}(,[1-9][0-9]{0,11}){0,\(maxNumbers - 1)})"
}

extension Redaction.Faces {
    /// Parses a word, or face numbers separated by commas; nil for other text.
    init?(_ text: String) {
        switch text {
        case "all": self = .all
        case "others": self = .others
        case "none": self = .none
        default:
            let numbers = text.list(",", atMost: Redaction.maxNumbers) { part in
                Int(plainDigits: part).flatMap { $0 >= 1 ? $0 : nil }
            }
            guard let numbers else { return nil }
            self = .numbers(numbers)
        }
    }
}
