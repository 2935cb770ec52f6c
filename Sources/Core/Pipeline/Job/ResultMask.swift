package import Framing
import Geometry

/// The outline of a result; outside of it the result is transparent, or has the background's colour.
package enum ResultMask: Hashable, Codable, Sendable {
    /// The ellipse that touches all four sides; in a square result a circle.
    case circle
    /// A rectangle with round corners: their radius as a share of the shorter side, 0…0.5, or in pixels of the result
    /// before they are multiplied by the device pixel ratio.
    case rounded(Length)

    /// The radii of the corners of a result, in pixels: along its columns and along its rows, at most half of them.
    ///
    /// `ratio` is the device pixel ratio of the request.
    func radii(in size: PixelSize, ratio: Double) -> (across: Double, down: Double) {
        switch self {
        case .circle: return (Double(size.width) / 2, Double(size.height) / 2)
        case .rounded(let radius):
            let maximum = Double(size.shortSide) / 2
            let length =
                switch radius {
                case .share(let share): share * Double(size.shortSide)
                case .pixels(let pixels): Double(pixels) * ratio
                }
            return (min(length, maximum), min(length, maximum))
        }
    }
}
