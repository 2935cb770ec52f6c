/// What is done when the faces that the gravity asks for are not there.
package enum Fallback: String, Hashable, Codable, Sendable, CaseIterable {
    /// The crop that holds the most of what there is to look at.
    case attention
    /// The crop in the middle of the image.
    case center
    /// The crop at the upper edge, where people in a portrait are.
    case top
    /// The whole image, uncropped.
    case original
    /// No crop at all: the caller is told that no face was found.
    case error
}
