package import Framing
package import Geometry
package import Imaging

/// What a caller chooses about crops: their shapes, their framing and their size.
package struct FrameOptions: Codable, Sendable {
    /// The shapes, in the order asked; nil is the image's own. Never empty; an image has the first one.
    package var aspects: [AspectRatio?] = [nil]
    /// Gravity, fallback, fit, zoom, padding and place.
    package var framing = FramingRequest()
    /// The size of the result.
    package var resultSize = ResultSize()
    /// The background beside a crop that does not fill the result.
    package var background = Background.white
    /// The effort of detection.
    package var accuracy = Accuracy.high
    /// The smallest face that matters, as a share of the image's short side; nil is the accuracy's own.
    package var smallestFace: Double?
    /// Whether crops are cut out of a JPEG without loss: their edges move between its blocks, and they are not scaled.
    package var isLossless = false

    /// The service's defaults.
    package init() {}
}
