/// The rule that determined the position of a crop.
package enum Decision: Hashable, Codable, Sendable {
    /// All faces.
    case faces
    /// The largest face.
    case largest
    /// The smallest face.
    case smallest
    /// One face by its index in the list of faces; 1 is the first.
    case face(Int)
    /// Attention, as requested.
    case attention
    /// The middle of the image, as requested.
    case center
    /// The upper edge of the image, as requested.
    case top
    /// The lower edge of the image, as requested.
    case bottom
    /// The left edge of the image, as requested.
    case left
    /// The right edge of the image, as requested.
    case right
    /// A focal point, as requested.
    case point
    /// The fallback, because the requested faces were not found.
    case fallback(Fallback)
    /// Bars that produce the requested shape without cutting anything off.
    case pad

    /// The decision of a crop placed by the requested gravity.
    package init(_ gravity: Gravity) {
        self =
            switch gravity {
            case .faces: .faces
            case .largest: .largest
            case .smallest: .smallest
            case .face(let index): .face(index)
            case .attention: .attention
            case .center: .center
            case .top: .top
            case .bottom: .bottom
            case .left: .left
            case .right: .right
            case .point: .point
            }
    }
}

extension Decision: CustomStringConvertible {
    /// The value in plans and headers, such as `faces`, `face:2` or `fallback:center`.
    package var description: String {
        if case .face(let index) = self { "face:\(index)" } else { kind }
    }

    /// The same without the index of a face, so that the number of values is small.
    package var kind: String {
        switch self {
        case .faces: "faces"
        case .largest: "largest"
        case .smallest: "smallest"
        case .face: "face"
        case .attention: "attention"
        case .center: "center"
        case .top: "top"
        case .bottom: "bottom"
        case .left: "left"
        case .right: "right"
        case .point: "point"
        case .fallback(let fallback): "fallback:\(fallback.rawValue)"
        case .pad: "pad"
        }
    }

    /// Every ``kind``.
    package static let kinds =
        [
            Decision.faces, .largest, .smallest, .face(1), .attention, .center, .top, .bottom, .left, .right, .point,
            .pad,
        ]
        .map(\.kind) + Fallback.allCases.map { Decision.fallback($0).kind }
}
