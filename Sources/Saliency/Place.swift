import Framing
import Glibc

/// How likely something at a place matters: people stand below the upper edge, and rather in the middle than at a side.
struct Place {
    /// For each row, 0…1.
    let down: [Float]
    /// For each column, 0…1.
    let across: [Float]

    init(_ size: PixelSize) {
        down = (0..<size.height).map { row in
            let distance = abs((Double(row) + 0.5) / Double(size.height) - Self.crest) / Self.spread
            return Float(exp(-distance * distance))
        }
        across = (0..<size.width).map { column in
            1 - Self.fall * Float(abs((2 * Double(column) + 1) / Double(size.width) - 1))
        }
    }

    /// Where faces are most often, as a share of the height.
    private static let crest = 0.2
    /// How far from there they still are.
    private static let spread = 0.35
    /// What the sides lose against the middle.
    private static let fall: Float = 0.6
}
