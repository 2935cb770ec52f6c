/// The rule that determined the position of a crop.
package enum Decision: Hashable, Codable, Sendable {
    /// The faces of the gravity, or one of these faces.
    case faces, largest, smallest, centermost
    /// One face by its index in the list of faces; 1 is the first.
    case face(Int)
    /// Subjects, either requested or because the requested faces were not found.
    case subject
    /// Objects of the requested classes.
    case object
    /// The focal areas of the request.
    case focus
    /// Attention, as requested.
    case attention
    /// The centre, an edge or a corner of the image, as requested.
    case center, top, bottom, left, right, topLeft, topRight, bottomLeft, bottomRight
    /// A focal point, as requested.
    case point
    /// The fallback, because the requested faces were not found.
    case fallback(Fallback)
    /// Bars that produce the requested aspect ratio without cutting anything off.
    case pad
    /// The whole image in its own aspect ratio.
    case inside
    /// The whole image in its own aspect ratio, with the minimum size that covers the requested size.
    case outside
    /// The whole image, stretched to the requested aspect ratio.
    case fill

    /// Creates the decision of a crop placed by the requested gravity.
    package init(_ gravity: Gravity) {
        self =
            switch gravity {
            case .faces: .faces
            case .largest: .largest
            case .smallest: .smallest
            case .centermost: .centermost
            case .face(let index): .face(index)
            case .subject: .subject
            case .object: .object
            case .focus: .focus
            case .attention: .attention
            case .center: .center
            case .top: .top
            case .bottom: .bottom
            case .left: .left
            case .right: .right
            case .topLeft: .topLeft
            case .topRight: .topRight
            case .bottomLeft: .bottomLeft
            case .bottomRight: .bottomRight
            case .point: .point
            }
    }
}

extension Decision: CustomStringConvertible {
    /// The value in plans and headers, such as `faces`, `face:2` or `fallback:center`.
    package var description: String {
        if case .face(let index) = self { "face:\(index)" } else { kind }
    }

    /// The value without the index of a face, so that the number of values is small.
    package var kind: String {
        switch self {
        case .faces: "faces"
        case .largest: "largest"
        case .smallest: "smallest"
        case .centermost: "centermost"
        case .face: "face"
        case .subject: "subject"
        case .object: "object"
        case .focus: "focus"
        case .attention: "attention"
        case .center: "center"
        case .top: "top"
        case .bottom: "bottom"
        case .left: "left"
        case .right: "right"
        case .topLeft: "top-left"
        case .topRight: "top-right"
        case .bottomLeft: "bottom-left"
        case .bottomRight: "bottom-right"
        case .point: "point"
        case .fallback(let fallback): "fallback:\(fallback.word)"
        case .pad: "pad"
        case .inside: "inside"
        case .outside: "outside"
        case .fill: "fill"
        }
    }

    /// Every ``kind``.
    package static let kinds =
        [
            Decision.faces, .largest, .smallest, .centermost, .face(1), .subject, .object, .focus, .attention, .center,
            .top, .bottom, .left, .right, .topLeft, .topRight, .bottomLeft, .bottomRight, .point, .pad, .inside,
            .outside, .fill,
        ]
        .map(\.kind) + (Fallback.plain + [.point(x: 0, y: 0)]).map { Decision.fallback($0).kind }
}
