import Framing
import Glibc

/// How likely something at a place matters: below the upper edge for people, and rather in the middle than at a side.
struct Place {
    /// For each row, 0…1.
    let down: [Float]
    /// For each column, 0…1.
    let across: [Float]

    init(_ size: PixelSize, expecting expected: ExpectedSubject) {
        let crest = Self.crest(of: expected)
        down = (0..<size.height).map { row in
            let distance = abs((Double(row) + 0.5) / Double(size.height) - crest) / Self.spread
            return Float(exp(-distance * distance))
        }
        across = (0..<size.width).map { column in
            1 - Self.fall * Float(abs((2 * Double(column) + 1) / Double(size.width) - 1))
        }
    }

    /// Where faces, or other subjects, are most often, as a share of the height.
    private static func crest(of expected: ExpectedSubject) -> Double {
        switch expected {
        case .people: 0.2
        case .things: 0.35
        }
    }

    /// How far from there they still are.
    private static let spread = 0.35
    /// What the sides lose against the middle.
    private static let fall: Float = 0.6
}
