package import Geometry

/// The parts of the image in a frame of the result.
package enum Panes: Hashable, Sendable {
    /// The crop.
    case one
    /// The crop, which takes a share of the result, and below it (in a wide result on its right) another part.
    case two(FractionalRect, share: Double)
    /// The whole image, on a blurred enlargement of its middle.
    case whole
}
