/// A rectangle that a crop should keep like a head, or avoid, chosen by the caller.
package struct FocalArea: Hashable, Codable, Sendable {
    /// The rectangle, of the upright image.
    package var region: Region
    /// The value relative to a certain face, ``minWeight`` to ``maxWeight``; the negative of such a number for an
    /// area to avoid.
    package var weight: Double

    /// Whether the area is to be kept, and not avoided.
    package var isKept: Bool { weight > 0 }

    /// The least weight.
    package static let minWeight = 0.01
    /// The greatest weight.
    package static let maxWeight = 10.0

    /// A rectangle to keep or to avoid.
    ///
    /// - Parameters:
    ///   - region: A part of the upright image.
    ///   - weight: From ``minWeight`` to ``maxWeight`` for an area to keep, where a certain face is 1; the negative
    ///     of such a number for one to avoid. Not checked here.
    package init(_ region: Region, weight: Double = 1) {
        self.region = region
        self.weight = weight
    }
}
