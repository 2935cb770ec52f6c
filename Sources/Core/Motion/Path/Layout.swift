/// The arrangement of the people of a video in its result.
package enum Layout: String, CaseIterable, Codable, Sendable {
    /// One crop that holds the maximum number of heads.
    case follow
    /// One crop that stays on a person until the active speaker changes.
    case hold
    /// Two people, or a person and a screen, above one another or side by side.
    case stack
    /// The whole image on a blurred enlargement of itself.
    case wide
    /// One of the other layouts, chosen for each shot.
    case auto
}
