/// What becomes of an animated picture.
package enum AnimationChoice: String, Hashable, Codable, Sendable, CaseIterable {
    /// The result is animated if its format can be; the crop keeps heads of all frames.
    case auto
    /// The first picture only.
    case still
}
