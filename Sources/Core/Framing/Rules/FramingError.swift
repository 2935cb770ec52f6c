/// Reasons why no crop is possible.
package enum FramingError: Error, Hashable, Codable, Sendable {
    /// The requested faces were not found, and the fallback is ``Fallback/error``.
    case noFace(Gravity)
    /// The image has no pixels.
    case emptyImage
}
