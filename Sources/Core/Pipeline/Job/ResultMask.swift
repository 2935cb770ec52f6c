package import Framing
import Geometry

/// The outline of a result; outside it, the result is transparent, or has the background's colour.
package enum ResultMask: Hashable, Codable, Sendable {
    /// The ellipse that touches all four sides; a circle in a square result.
    case circle
    /// A rectangle with rounded corners.
    ///
    /// The radius is a fraction of the shorter side, 0…0.5, or a number of pixels of the result before the
    /// multiplication by the device pixel ratio.
    case rounded(Length)

    /// Returns the horizontal and vertical corner radii of a result in pixels, at most half of its width and height.
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
