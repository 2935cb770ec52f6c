/// What lies under a picture and beside it.
package enum Background: Hashable, Codable, Sendable {
    /// One colour: red, green and blue in the picture's own colour space.
    case color(red: UInt8, green: UInt8, blue: UInt8)
    /// Nothing; white in a file that keeps no alpha.
    case transparent
    /// The picture itself, filling the whole, blurred and darkened.
    case blur

    /// White.
    package static let white = Background.color(red: 255, green: 255, blue: 255)

    /// Reads `rrggbb` or `rgb` in hexadecimal digits, perhaps after a `#`, `transparent` or `blur`; nil for anything else.
    package init?(_ text: String) {
        switch text {
        case "transparent":
            self = .transparent
        case "blur":
            self = .blur
        default:
            let digits = text.utf8.drop { $0 == UInt8(ascii: "#") }
            guard text.utf8.count - digits.count <= 1 else { return nil }
            let values = digits.map(Self.value)
            guard !values.contains(nil) else { return nil }
            let digit = values.compactMap { $0 }
            switch digit.count {
            case 3: self = .color(red: digit[0] * 17, green: digit[1] * 17, blue: digit[2] * 17)
            case 6:
                self = .color(
                    red: digit[0] << 4 | digit[1],
                    green: digit[2] << 4 | digit[3],
                    blue: digit[4] << 4 | digit[5]
                )
            default: return nil
            }
        }
    }

    /// The same as CSS writes it; nil for what CSS cannot do alone.
    package var css: String? {
        switch self {
        case .color(let red, let green, let blue): "rgb(\(red) \(green) \(blue))"
        case .transparent: "transparent"
        case .blur: nil
        }
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
