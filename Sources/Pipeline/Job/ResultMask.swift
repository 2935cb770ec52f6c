package import Framing
import Geometry

/// The outline of a result, beside which it is transparent.
package enum ResultMask: Hashable, Codable, Sendable {
    /// The ellipse that touches all four sides; in a square result a circle.
    case circle
    /// A rectangle with round corners: their radius as a share of the shorter side, 0…0.5, or in pixels of the result before
    /// they are multiplied by the device pixel ratio.
    case rounded(Length)

    /// The radii of the corners of a result, in pixels: along its columns and along its rows.
    ///
    /// - Parameters:
    ///   - size: The size of the result.
    ///   - ratio: The device pixel ratio of the request.
    /// - Returns: Radii of at most half of the sides.
    func radii(in size: PixelSize, ratio: Double) -> (across: Double, down: Double) {
        switch self {
        case .circle: return (Double(size.width) / 2, Double(size.height) / 2)
        case .rounded(let radius):
            let most = Double(size.shortSide) / 2
            let length =
                switch radius {
                case .share(let share): share * Double(size.shortSide)
                case .pixels(let pixels): Double(pixels) * ratio
                }
            return (min(length, most), min(length, most))
        }
    }
}

/// A short text that stands for a picture until it is loaded.
package enum PlaceholderKind: String, Hashable, Codable, Sendable, CaseIterable {
    /// ``ThumbHash``, in Base64.
    case thumbhash
    /// ``BlurHash``.
    case blurhash
}
