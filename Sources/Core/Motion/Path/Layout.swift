/// How the people of a video share its result.
package enum Layout: String, CaseIterable, Codable, Sendable {
    /// One crop that holds as many heads as it can.
    case follow
    /// One crop that stays on a person until another has the floor.
    case hold
    /// Two people, or a person and a screen, above one another or side by side.
    case stack
    /// The whole image on a blurred enlargement of itself.
    case wide
    /// One of the others for each shot.
    case auto
}
