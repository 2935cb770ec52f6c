package import UntrustedText
import Encodings
package import Imaging

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
}

extension KeyColor {
    /// Parses `rrggbb` or `rgb` in hexadecimal digits with an optional `#`; nil for other text.
    package init?(_ text: String) {
        guard case .color(let red, let green, let blue) = Background(text) else { return nil }
        self.init(red: red, green: green, blue: blue)
    }
}

extension ChromaKey {
    /// Parses a colour that is not grey, or `auto`; nil for other text.
    init?(_ text: String) {
        let color = KeyColor(text)
        guard text == "auto" || color?.isKey == true else { return nil }
        self.init(color: color)
    }
}

extension Backdrop {
    /// Parses a colour, or `blur`; nil for other text.
    package init?(_ text: String) {
        if text == "blur" {
            self = .blur
        } else if let color = KeyColor(text) {
            self = .color(color)
        } else {
            return nil
        }
    }
}

extension ImageFilter {
    /// The filters without a number, by their names.
    private static let plain: [(name: String, filter: ImageFilter)] = [
        ("mono", .mono), ("noir", .noir), ("tonal", .tonal), ("sepia", .sepia), ("chrome", .chrome), ("fade", .fade),
        ("instant", .instant), ("process", .process), ("transfer", .transfer), ("invert", .invert),
        ("vignette", .vignette),
    ]

    /// The filters with a number from 0, by their names, with the maximum of the number.
    private static let measured: [(name: String, maximum: Double, filter: @Sendable (Double) -> ImageFilter)] = [
        ("blur", maxBlur, { .blur($0) }), ("sharpen", maxSharpening, { .sharpen($0) }),
        ("brightness", maxFactor, { .brightness($0) }), ("contrast", maxFactor, { .contrast($0) }),
        ("saturation", maxFactor, { .saturation($0) }), ("hue", maxHue, { .hue($0) }),
        ("gamma", maxFactor, { .gamma($0) }),
    ]

    package static let names = plain.map(\.name) + measured.map(\.name)

    /// The form of a list, for errors.
    static let form =
        "at most \(maxCount) filters, separated by commas: \(plain.map(\.name).joined(separator: ", ")), "
        + measured.map { "\($0.name):N with N from 0 to \(Int($0.maximum))" }.joined(separator: ", ")
        + ", sharpen:N:R with a radius R from 0 to \(Int(maxRadius))"

    /// The values in documents.
    static let forms = plain.map(\.name) + measured.map { $0.name == "sharpen" ? "sharpen:N[:R]" : "\($0.name):N" }

    /// A filter, as a regular expression.
    static let pattern =
        "(\(plain.map(\.name).joined(separator: "|"))|"
        + "(\(measured.map(\.name).joined(separator: "|"))):[0-9.]+|sharpen:[0-9.]+:[0-9.]+)"

    /// Parses a filter such as `mono`, `blur:2.5` or `sharpen:1:2`; nil for other text.
    package init?(_ text: some TextSlice) {
        let parts = text.bytes.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        if parts.count == 3 {
            guard parts[0] == "sharpen", let amount = Double(plainDecimal: String(parts[1])),
                let radius = Double(plainDecimal: String(parts[2])), (0...Self.maxSharpening).contains(amount),
                (0...Self.maxRadius).contains(radius)
            else { return nil }
            self = .sharpen(amount, radius: radius)
        } else if parts.count == 1 {
            guard let filter = Self.plain.first(where: { $0.name == text })?.filter else { return nil }
            self = filter
        } else {
            guard let kind = Self.measured.first(where: { $0.name == parts[0] }),
                let number = Double(plainDecimal: String(parts[1])), number <= kind.maximum
            else { return nil }
            self = kind.filter(number)
        }
    }

    /// Parses a list of filters; nil if an element is not a filter, or if there are too many.
    static func list(_ text: String) -> [ImageFilter]? { text.list(",", atMost: maxCount) { ImageFilter($0) } }
}

extension Background {
    /// The CSS value of the background; nil for a background that depends on the image.
    package var css: String? {
        switch self {
        case .color(let red, let green, let blue): "rgb(\(red) \(green) \(blue))"
        case .transparent: "transparent"
        case .blur, .average: nil
        }
    }
}
