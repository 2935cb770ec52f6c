import Encodings
package import Imaging

extension Background {
    /// Parses `rrggbb` or `rgb` in hexadecimal digits with an optional `#`, `transparent` or `blur`; nil for other
    /// text.
    package init?(_ text: String) {
        switch text {
        case "transparent":
            self = .transparent
        case "blur":
            self = .blur
        default:
            let digits = text.utf8.drop { $0 == UInt8(ascii: "#") }
            guard text.utf8.count - digits.count <= 1 else { return nil }
            let values = digits.map(Hexadecimal.value)
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
}
