/// What happens where a picture has another shape than the result that is asked for.
package enum Fit: String, Hashable, Codable, Sendable, CaseIterable {
    /// The result is filled, and what does not fit the shape is cut off.
    case cover
    /// Nothing is cut off: the whole picture lies in the result, with bars beside it.
    case pad
    /// What does not fit is cut off, unless that would cut a head: bars then make room for all of them, as small as that
    /// takes.
    case auto
}
