/// The fill below transparent pixels and beside a picture.
package enum Background: Hashable, Codable, Sendable {
    /// One colour: red, green and blue in sRGB, or in the picture's own colour space if its profile is kept.
    case color(red: UInt8, green: UInt8, blue: UInt8)
    /// Transparency; white in a format without alpha.
    case transparent
    /// The picture itself, scaled to fill the result, blurred and darkened.
    case blur

    /// White.
    package static let white = Background.color(red: 255, green: 255, blue: 255)
}
