/// What replaces the pixels of a redacted head.
package enum RedactionStyle: String, Hashable, Codable, Sendable, CaseIterable {
    /// A smooth transition between the mean colours of a few cells.
    case blur
    /// The mean colours of the same cells, with their edges.
    case pixelate
    /// Plain grey.
    case fill
}
