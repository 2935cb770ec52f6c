/// The fill of bars around an image, and behind its transparent pixels.
package enum Background: Hashable, Codable, Sendable {
    /// One colour: red, green and blue in sRGB, or in the image's own colour space if its profile is kept.
    case color(red: UInt8, green: UInt8, blue: UInt8)
    /// Transparency; white in a format without alpha.
    case transparent
    /// The image itself, scaled to fill the output, blurred and darkened.
    case blur
    /// The mean colour of the image.
    case average

    package static let white = Background.color(red: 255, green: 255, blue: 255)

    /// Whether the background is grey if the image is grey.
    package var isGray: Bool {
        switch self {
        case .color(let red, let green, let blue): red == green && green == blue
        case .transparent, .blur, .average: true
        }
    }
}
