import Encodings

/// A colour in the words of other services.
struct CSSColor: Hashable {
    /// Red, green and blue as `rrggbb`.
    var digits: String
    /// The alpha, 0…1.
    var alpha = 1.0

    /// The value of the parameter `background`: only a fully transparent colour keeps its alpha.
    var background: String { alpha == 0 ? "transparent" : digits }

    /// Whether ``background`` is another colour.
    var losesAlpha: Bool { alpha > 0 && alpha < 1 }

    /// The place of alpha in four or eight hexadecimal digits.
    enum AlphaPlace { case first, last }

    /// Parses 3 or 6 hexadecimal digits, or 4 or 8 with alpha; nil for other text.
    init?(hexadecimal text: some StringProtocol, alpha place: AlphaPlace) {
        var pairs = text.lowercased()
        if pairs.utf8.count == 3 || pairs.utf8.count == 4 { pairs = pairs.map { "\($0)\($0)" }.joined() }
        guard pairs.utf8.count == 6 || pairs.utf8.count == 8, let bytes = Hexadecimal.bytes(pairs) else { return nil }
        let color = bytes.count == 3 ? bytes : place == .first ? Array(bytes[1...]) : Array(bytes[..<3])
        digits = Hexadecimal.text(color)
        if bytes.count == 4 { alpha = Double(place == .first ? bytes[0] : bytes[3]) / 255 }
    }

    /// Parses a name of CSS or `transparent`; nil for other text.
    init?(name text: some StringProtocol) {
        if text.lowercased() == "transparent" {
            (digits, alpha) = ("000000", 0)
        } else if let named = ColorName.digits(text) {
            digits = named
        } else {
            return nil
        }
    }

    /// Parses a colour of CSS (CSS Color Module Level 4): a name, `#` and digits, `rgb(…)` or `rgba(…)`; nil for other
    /// text.
    init?(css text: String) {
        if text.hasPrefix("#") {
            self.init(hexadecimal: text.dropFirst(), alpha: .last)
        } else if text.hasSuffix(")"), let open = text.firstIndex(of: "("),
            ["rgb", "rgba"].contains(text[..<open].lowercased())
        {
            self.init(components: text[text.index(after: open)...].dropLast())
        } else {
            self.init(name: text)
        }
    }

    private init?(components: Substring) {
        let parts = components.split { $0 == "," || $0 == "/" || $0 == " " }
        guard parts.count == 3 || parts.count == 4 else { return nil }
        let values = parts.prefix(3).compactMap { Self.component($0, whole: 255) }
        guard values.count == 3 else { return nil }
        digits = Hexadecimal.text(values.map { UInt8($0.rounded()) })
        if parts.count == 4 {
            guard let alpha = Self.component(parts[3], whole: 1) else { return nil }
            self.alpha = alpha
        }
    }

    private static func component(_ text: Substring, whole: Double) -> Double? {
        let isPercent = text.hasSuffix("%")
        guard let number = Double(plainDecimal: isPercent ? text.dropLast() : text) else { return nil }
        return min(isPercent ? number / 100 * whole : number, whole)
    }
}
