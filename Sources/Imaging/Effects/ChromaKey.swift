/// The removal of a colour, such as that of a green screen.
package struct ChromaKey: Hashable, Codable, Sendable {
    /// The key; nil for the colour of the picture's borders.
    package var color: KeyColor?
    /// How much of a pure key may be missing in a pixel that becomes transparent, 0…0.9.
    package var tolerance = Self.defaultTolerance
    /// How much of the key is taken out of visible pixels, 0…1.
    package var spill = 1.0

    /// The tolerance for screens with uneven light.
    package static let defaultTolerance = 0.25
    /// The range of tolerances.
    package static let tolerances = 0.0...0.9

    /// A key with the default tolerance and spill.
    package init(color: KeyColor?) { self.color = color }
}
