/// How pictures of single faces are turned.
package enum FaceTurn: Hashable, Codable, Sendable {
    /// The face is upright; the crop is otherwise as without it.
    case upright
    /// The eyes are level, at `height` of the result from its top, and ``eyeDistance`` apart.
    case eyes(height: Double)

    /// The distance of the eyes, as a share of the result's shorter side.
    ///
    /// A head is about 2.2 times as wide as the eyes are apart, and 3.2 times as high, so it just fits.
    package static let eyeDistance = 0.25
}
