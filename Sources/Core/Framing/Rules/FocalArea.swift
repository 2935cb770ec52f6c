/// A rectangle that a crop should keep like a head, or avoid, chosen by the caller.
package struct FocalArea: Hashable, Codable, Sendable {
    /// The rectangle, of the upright image.
    package var region: Region
    /// The value relative to a certain face, from ``minWeight`` to ``maxWeight``; negated for an area to avoid.
    package var weight: Double

    /// Whether the area is to be kept instead of avoided.
    package var isKept: Bool { weight > 0 }

    /// The minimum weight.
    package static let minWeight = 0.01
    /// The maximum weight.
    package static let maxWeight = 10.0

    /// Creates a rectangle to keep or to avoid.
    ///
    /// - Parameters:
    ///   - region: A part of the upright image.
    ///   - weight: From ``minWeight`` to ``maxWeight`` for an area to keep, where a certain face is 1; negated for an
    ///     area to avoid. Not checked here.
    package init(_ region: Region, weight: Double = 1) {
        self.region = region
        self.weight = weight
    }
}
