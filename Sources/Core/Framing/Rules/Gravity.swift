/// The subject or position of a crop.
package enum Gravity: Hashable, Codable, Sendable {
    /// All faces: the crop keeps the maximum number of whole heads.
    case faces
    /// The face with the largest box.
    case largest
    /// The face with the smallest box.
    case smallest
    /// The face nearest to the centre of the image.
    case centermost
    /// One face by its index in the list of faces, largest first; 1 is the first.
    case face(Int)
    /// The faces, and the people, animals and things of every class, each with its weight.
    case subject
    /// Objects of the named classes, each with its weight; at least one class.
    case object([WantedClass])
    /// Only the focal areas of the request, without face detection.
    case focus
    /// Attention, without face detection.
    case attention
    /// The centre, an edge or a corner of the image.
    case center, top, bottom, left, right, topLeft, topRight, bottomLeft, bottomRight
    /// A focal point, with each coordinate 0…1 from the top left corner of the upright image.
    case point(x: Double, y: Double)

    /// The gravities that name a place without an argument: edges, corners and the centre.
    package static let compass: [Gravity] = [
        .center, .top, .bottom, .left, .right, .topLeft, .topRight, .bottomLeft, .bottomRight,
    ]

    /// Whether faces or subjects must be detected before the crop can be placed.
    package var needsFaces: Bool {
        switch self {
        case .faces, .largest, .smallest, .centermost, .face, .subject, .object: true
        default: false
        }
    }

    /// Whether subjects must be detected, even if there are faces.
    package var needsSubjects: Bool {
        switch self {
        case .subject, .object: true
        default: false
        }
    }

    /// The fractions of the free space that lie left of and above a crop at one of the nine compass points; nil for
    /// other gravities.
    var anchor: (left: Double, above: Double)? {
        switch self {
        case .center: (0.5, 0.5)
        case .top: (0.5, 0)
        case .bottom: (0.5, 1)
        case .left: (0, 0.5)
        case .right: (1, 0.5)
        case .topLeft: (0, 0)
        case .topRight: (1, 0)
        case .bottomLeft: (0, 1)
        case .bottomRight: (1, 1)
        case .faces, .largest, .smallest, .centermost, .face, .subject, .object, .focus, .attention, .point: nil
        }
    }
}
