/// The replacement of a key colour.
package enum Backdrop: Hashable, Codable, Sendable {
    /// One colour in sRGB.
    case color(KeyColor)
    /// The image itself without its key colour, over white; it is scaled to fill the crop, blurred and darkened.
    case blur
    /// Another image, which covers the crop.
    case image
}
