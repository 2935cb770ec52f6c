package import Geometry

/// A watermark in the result of one crop.
package struct PlacedWatermark: Hashable, Codable, Sendable {
    /// The position: the requested position, or a corner without a head.
    package var place: Watermark.Place
    /// The rectangle, in pixels of the finished result, after its rotation.
    package var rect: PixelRect
    /// Whether the watermark covers a part of a head, because it would do so in every corner.
    package var coversHead: Bool

    /// Creates a watermark at its final position.
    ///
    /// - Parameters:
    ///   - place: The requested position, or a corner without a head.
    ///   - rect: In pixels of the finished result, after its rotation.
    ///   - coversHead: Whether the watermark covers a part of a head, because it would do so at every position.
    package init(place: Watermark.Place, rect: PixelRect, coversHead: Bool) {
        self.place = place
        self.rect = rect
        self.coversHead = coversHead
    }
}
