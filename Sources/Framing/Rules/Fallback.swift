/// The crop if the faces of the gravity are not found.
package enum Fallback: String, Hashable, Codable, Sendable, CaseIterable {
    /// The crop with the most attention.
    case attention
    /// The crop in the middle of the image.
    case center
    /// The crop at the upper edge, where portraits show people.
    case top
    /// The whole image, uncropped.
    case original
    /// No crop: an error reports that no face was found.
    case error
}
