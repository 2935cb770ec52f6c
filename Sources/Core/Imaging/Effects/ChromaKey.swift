import Geometry
import CImageCodec

/// The removal of a colour, for example the colour of a green screen.
package struct ChromaKey: Hashable, Codable, Sendable {
    /// The key; nil for the colour of the image's borders.
    package var color: KeyColor?
    /// The tolerance, 0…0.9: the fraction of the key colour that may be missing in a pixel that becomes transparent.
    package var tolerance = Self.defaultTolerance
    /// The fraction of the key that is removed from visible pixels, 0…1.
    package var spill = 1.0

    /// The tolerance for screens with uneven light.
    package static let defaultTolerance = 0.25
    package static let tolerances = 0.0...0.9

    /// Creates a key with ``defaultTolerance`` that removes all spill.
    ///
    /// - Parameter color: The key; nil for the colour of the image's borders.
    package init(color: KeyColor?) { self.color = color }
}
