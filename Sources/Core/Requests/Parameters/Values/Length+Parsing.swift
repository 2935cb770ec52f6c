package import Framing
package import UntrustedText

extension Length {
    package static let maxPixels = 100_000

    /// A length, as a regular expression.
    static let pattern = "([0-9.]+|[0-9]+px)"

    /// Parses a length: a fraction from 0 to `maximum` such as `0.2`, or pixels such as `24px`.
    ///
    /// Nil for other text.
    package init?(_ text: some TextSlice, maximum: Double = 1) {
        if text.bytes.hasSuffix("px") {
            guard let pixels = Int(plainDigits: text.dropLast(2)), pixels <= Self.maxPixels else { return nil }
            self = .pixels(pixels)
        } else {
            guard let share = Double(plainDecimal: text), share <= maximum else { return nil }
            self = .share(share)
        }
    }
}
