package import Geometry

/// The parts of the image in a frame of the result.
package enum Panes: Hashable, Sendable {
    /// The crop.
    case one
    /// The crop, which covers a fraction of the result, and another part below it (in a wide result to its right).
    case two(FractionalRect, share: Double)
    /// The whole image, on a blurred enlargement of its centre.
    case whole
}
