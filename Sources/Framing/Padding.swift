/// The room that is kept around every head.
package enum Padding: Hashable, Codable, Sendable {
    /// A share of the head's height, 0…10.
    case fraction(Double)
    /// Pixels of the source image, 0…100,000.
    case pixels(Int)

    /// Reads `0.2` (of a head's height) or `24px`; nil for anything else.
    package init?(_ text: String) {
        if text.hasSuffix("px") {
            guard let pixels = Int(plainDigits: text.dropLast(2)), pixels <= 100_000 else { return nil }
            self = .pixels(pixels)
        } else {
            guard let fraction = Double(plainDecimal: text), fraction <= 10 else { return nil }
            self = .fraction(fraction)
        }
    }

    /// The room in pixels around a head of the given height.
    func pixels(headHeight: Int) -> Int {
        switch self {
        case .fraction(let fraction): Int((fraction * Double(headHeight)).rounded())
        case .pixels(let pixels): pixels
        }
    }
}
