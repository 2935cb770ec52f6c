import TotalFunctions

/// The padding around every head.
package enum Padding: Hashable, Codable, Sendable {
    /// A fraction of the head's height, 0…10.
    case fraction(Double)
    /// Pixels of the source image, 0…100,000.
    case pixels(Int)

    /// Returns the padding in pixels around a head of the given height.
    package func pixels(headHeight: Int) -> Int {
        switch self {
        case .fraction(let fraction): Int(clamping: (fraction * Double(headHeight)).rounded())
        case .pixels(let pixels): pixels
        }
    }
}
