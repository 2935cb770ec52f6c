import Encodings
package import Imaging
import UntrustedText

extension Background {
    /// Parses `rrggbb` or `rgb` in hexadecimal digits with an optional `#`, `transparent`, `blur` or `average`; nil
    /// for other text.
    package init?(_ text: String) {
        switch text {
        case "average": self = .average
        case "transparent": self = .transparent
        case "blur": self = .blur
        default:
            let text = text.bytes.hasPrefix("#") ? text.dropFirst() : text[...]
            let digits = text.utf8.compactMap(Hexadecimal.value)
            guard digits.count == text.utf8.count else { return nil }
            switch digits.count {
            case 3: self = .color(red: digits[0] * 17, green: digits[1] * 17, blue: digits[2] * 17)
            case 6:
                self = .color(
                    red: digits[0] << 4 | digits[1],
                    green: digits[2] << 4 | digits[3],
                    blue: digits[4] << 4 | digits[5]
                )
            default: return nil
            }
        }
    }

    /// The CSS value of the background; nil for a background that depends on the image.
    package var css: String? {
        switch self {
        case .color(let red, let green, let blue): "rgb(\(red) \(green) \(blue))"
        case .transparent: "transparent"
        case .blur, .average: nil
        }
    }
}
