/// A rectangle that a crop should keep like a head, chosen by the caller.
package struct FocalArea: Hashable, Codable, Sendable {
    /// The rectangle, of the upright picture.
    package var region: Region
    /// The value relative to a certain face, ``leastWeight`` to ``mostWeight``.
    package var weight: Double

    /// The least weight.
    package static let leastWeight = 0.01
    /// The greatest weight.
    package static let mostWeight = 10.0

    /// A rectangle with a value.
    package init(_ region: Region, weight: Double = 1) {
        self.region = region
        self.weight = weight
    }
}
