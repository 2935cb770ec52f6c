/// The crop to use if the faces of the gravity are not found.
package enum Fallback: Hashable, Codable, Sendable {
    /// The crop with maximum attention.
    case attention
    /// The crop in the centre, at an edge or in a corner of the image; portraits show people at the top.
    case center, top, bottom, left, right, topLeft, topRight, bottomLeft, bottomRight
    /// The whole image, uncropped.
    case original
    /// No crop: an error reports that no face was found.
    case error
    /// The crop as close to a focal point as the image allows, with each coordinate 0…1 from the top left corner.
    case point(x: Double, y: Double)

    /// The fallbacks without an argument.
    package static let plain: [Fallback] = [
        .attention, .center, .top, .bottom, .left, .right, .topLeft, .topRight, .bottomLeft, .bottomRight, .original,
        .error,
    ]

    /// The word in parameters and decisions; `point` without its coordinates.
    package var word: String {
        switch self {
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
        case .original: "original"
        case .error: "error"
        case .point: "point"
        }
    }
}
