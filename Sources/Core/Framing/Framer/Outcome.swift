/// The effect of a crop on one person in the image.
package enum Outcome: Hashable, Codable, Sendable {
    /// The whole head is inside the crop.
    case kept
    /// The person should be kept, but the head is cut or outside.
    case cut(Reason)
    /// The gravity refers to other people or to no faces; this person did not affect the crop.
    case ignored

    /// The reason why a head is cut.
    package enum Reason: String, Hashable, Codable, Sendable, CaseIterable {
        /// The head is larger than any crop of the aspect ratio.
        case tooLarge
        /// The head is at least partly outside the best crop.
        case outside
    }
}
