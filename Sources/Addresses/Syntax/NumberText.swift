import Framing
import HeadroomAPI
import Requests
import TotalFunctions
import UntrustedText

/// Numbers in other services' URLs; every number has a text, including `nan` and infinities.
enum NumberText {
    /// A number from 0 to 100,000 as the text of a parameter: a plain decimal with at most six digits after the point.
    static func plain(_ number: Double) -> String {
        let millionths = Int(clamping: (number.clamped(to: 0...100_000) * 1_000_000).rounded())
        let (whole, rest) = millionths.quotientAndRemainder(dividingBy: 1_000_000)
        guard rest > 0 else { return "\(whole)" }
        var digits = "\(1_000_000 + rest)".dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits)"
    }

    /// A length in pixels as the text of a parameter, capped at the parameter's maximum.
    static func pixels(_ number: Double) -> String { pixels(Int(clamping: number.rounded())) }

    /// A length in pixels as the text of a parameter, capped at the parameter's maximum.
    static func pixels(_ number: Int) -> String { "\(min(number, Length.maxPixels))px" }

    /// A fraction as the text of a side.
    static func percent(_ share: Double) -> String { "\(plain(share * 100))%" }

    /// A number that may be negative, in the form of ``plain(_:)``.
    static func signed(_ number: Double) -> String { (number < 0 ? "-" : "") + plain(abs(number)) }

    /// Reads a plain decimal that may have a sign; nil for other text.
    static func read(_ text: some TextSlice) -> Double? {
        let isNegative = text.bytes.hasPrefix("-")
        let digits = isNegative || text.bytes.hasPrefix("+") ? text.bytes.dropFirst(1) : Substring(text)
        return Double(plainDecimal: digits).map { isNegative ? -$0 : $0 }
    }

    /// The gravity of a focal point, in fractions of the sides.
    static func point(_ x: Double, _ y: Double) -> String { "point:\(plain(x)),\(plain(y))" }
}
