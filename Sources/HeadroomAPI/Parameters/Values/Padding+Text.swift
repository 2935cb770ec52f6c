package import Framing

extension Padding {
    /// Parses `0.2` (a share of the head's height) or `24px`; nil for other text.
    package init?(_ text: String) {
        if text.hasSuffix("px") {
            guard let pixels = Int(plainDigits: text.dropLast(2)), pixels <= 100_000 else { return nil }
            self = .pixels(pixels)
        } else {
            guard let fraction = Double(plainDecimal: text), fraction <= 10 else { return nil }
            self = .fraction(fraction)
        }
    }
}
