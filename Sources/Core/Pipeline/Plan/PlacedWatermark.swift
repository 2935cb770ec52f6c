package import Geometry

/// A watermark in the result of one crop.
package struct PlacedWatermark: Hashable, Codable, Sendable {
    /// The place: the requested one, or a corner where no head is.
    package var place: Watermark.Place
    /// The rectangle, in pixels of the finished result, after its turn.
    package var rect: PixelRect
    /// Whether it covers a part of a head, because it would in every corner.
    package var coversHead: Bool

    /// A watermark at its final place.
    ///
    /// - Parameters:
    ///   - place: The requested place, or a corner without a head.
    ///   - rect: In pixels of the finished result, after its turn.
    ///   - coversHead: Whether it covers a part of a head, because it would at every place.
    package init(place: Watermark.Place, rect: PixelRect, coversHead: Bool) {
        self.place = place
        self.rect = rect
        self.coversHead = coversHead
    }
}
