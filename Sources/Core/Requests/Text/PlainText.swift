import UntrustedText
import Encodings

extension Double {
    /// Reads a plain decimal such as `16`, `1.91` or `.5`; nil for other text.
    ///
    /// `Double(_:)` also accepts signs, exponents, hexadecimal digits, `inf` and `nan`, which no parameter allows.
    package init?(plainDecimal text: some StringProtocol) {
        guard text.utf8.count <= 24, text.utf8.allSatisfy({ $0.isDecimalDigit || $0 == UInt8(ascii: ".") }) else {
            return nil
        }
        self.init(String(text))
    }
}

extension Int {
    /// Reads an unsigned whole number of decimal digits; nil for other text, including text with a sign.
    package init?(plainDigits text: some StringProtocol) {
        guard text.utf8.count <= 12, text.isDecimal else { return nil }
        self.init(text)
    }
}
