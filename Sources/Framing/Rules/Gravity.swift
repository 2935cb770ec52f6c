import Geometry

/// The subject or position of a crop.
package enum Gravity: Hashable, Codable, Sendable {
    /// All faces: the crop keeps as many whole heads as possible.
    case faces
    /// The face with the largest box.
    case largest
    /// The face with the smallest box.
    case smallest
    /// One face by its index in the list of faces, largest first; 1 is the first.
    case face(Int)
    /// Attention, without face detection.
    case attention
    /// The middle of the image.
    case center
    /// The upper edge of the image.
    case top
    /// The lower edge of the image.
    case bottom
    /// The left edge of the image.
    case left
    /// The right edge of the image.
    case right
    /// A focal point, each coordinate 0…1 from the top left corner of the upright image.
    case point(x: Double, y: Double)

    /// Whether faces must be detected before the crop can be placed.
    package var needsFaces: Bool {
        switch self {
        case .faces, .largest, .smallest, .face: true
        case .attention, .center, .top, .bottom, .left, .right, .point: false
        }
    }
}
