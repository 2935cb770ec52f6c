import Geometry

/// A direction along which a crop moves.
package enum Axis: CaseIterable, Sendable {
    /// From left to right.
    case across
    /// From top to bottom.
    case down
}
