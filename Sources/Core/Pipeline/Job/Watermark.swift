package import Framing

/// An image that is drawn on finished results, such as a logo.
package struct Watermark: Hashable, Codable, Sendable {
    /// Where in the result it is drawn.
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

        /// The places to which a watermark moves if it would cover a head.
        static let corners: [Place] = [.bottomRight, .bottomLeft, .topRight, .topLeft]
    }

    /// The allowed widths, as shares of the width of the result.
    package static let widths = 0.01...1.0
    /// The largest margin, as a share of the shorter side of the result.
    package static let maxMargin = 0.45

    /// Its name in requests.
    package var name: String
    /// Its image, of which the first frame is drawn; nil until the name is looked up.
    package var content: Sticker.Content?
    /// The requested place.
    package var place = Place.bottomRight
    /// Its width, as a share of the width of the result.
    package var width = 0.2
    /// Its opacity, 0…1, multiplied with its alpha.
    package var opacity = 1.0
    /// The distance from the edges of the result: a share of its shorter side, or pixels before they are multiplied by
    /// the device pixel ratio.
    package var margin = Length.share(0.03)

    /// A watermark with the defaults, without its image.
    package init(name: String) { self.name = name }
}
