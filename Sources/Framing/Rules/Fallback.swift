/// The crop if the faces of the gravity are not found.
package enum Fallback: String, Hashable, Codable, Sendable, CaseIterable {
    /// The crop with the most attention.
    case attention
    /// The crop in the middle of the image.
    case center
    /// The crop at the upper edge, where portraits show people.
    case top
    /// The crop at the lower edge.
    case bottom
    /// The crop at the left edge.
    case left
    /// The crop at the right edge.
    case right
    /// The crop in the upper left corner.
    case topLeft = "top-left"
    /// The crop in the upper right corner.
    case topRight = "top-right"
    /// The crop in the lower left corner.
    case bottomLeft = "bottom-left"
    /// The crop in the lower right corner.
    case bottomRight = "bottom-right"
    /// The whole image, uncropped.
    case original
    /// No crop: an error reports that no face was found.
    case error
}
