/// The use of a source's colour profile.
package enum ProfileUse: String, Hashable, Codable, Sendable, CaseIterable {
    /// Colours are converted to sRGB, and the result has no profile.
    case srgb
    /// Colours are not converted, and the result has the profile.
    case keep
}
