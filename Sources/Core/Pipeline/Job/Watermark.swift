package import Framing

/// An image that is drawn on finished results, such as a logo.
package struct Watermark: Hashable, Codable, Sendable {
    /// The position in the result.
    package enum Place: String, Hashable, Codable, Sendable, CaseIterable {
        case topLeft = "top-left"
        case top
        case topRight = "top-right"
        case left
        case center
        case right
        case bottomLeft = "bottom-left"
        case bottom
        case bottomRight = "bottom-right"

        /// The alternative positions of a watermark that would cover a head.
        static let corners: [Place] = [.bottomRight, .bottomLeft, .topRight, .topLeft]
    }

    /// The allowed widths, as fractions of the result's width.
    package static let widths = 0.01...1.0
    /// The maximum margin, as a fraction of the result's shorter side.
    package static let maxMargin = 0.45

    /// The watermark's name in requests.
    package var name: String
    /// The watermark's image, as the first frame of the content; nil until the name is looked up.
    package var content: Sticker.Content?
    /// The requested position.
    package var place = Place.bottomRight
    /// The width, as a fraction of the result's width.
    package var width = 0.2
    /// The opacity, 0…1, multiplied by the image's alpha.
    package var opacity = 1.0
    /// The distance from the edges of the result.
    ///
    /// The margin is a fraction of the shorter side, or a number of pixels before the multiplication by the device
    /// pixel ratio.
    package var margin = Length.share(0.03)

    /// Creates a watermark with the defaults, without its image.
    package init(name: String) { self.name = name }
}
