package import Imaging

/// What a key that is the colour of the picture's borders has found.
package enum BorderKey: Hashable, Codable, Sendable {
    /// The borders have no colour that can be a key: nothing became transparent.
    case none
    /// The colour of the borders.
    case color(KeyColor)

    /// The outcome of a search for the colour of borders.
    init(_ color: KeyColor?) { self = color.map { .color($0) } ?? .none }

    /// The colour in six hexadecimal digits, or `none`.
    package var word: String {
        switch self {
        case .none: "none"
        case .color(let color): color.digits
        }
    }
}
