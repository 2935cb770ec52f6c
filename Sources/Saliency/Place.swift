import Framing
import Glibc

/// How likely something at a place matters: below the upper edge for people, and rather in the middle than at a side.
struct Place {
    /// For each row, 0…1.
    let down: [Float]
    /// For each column, 0…1.
    let across: [Float]

    init(_ size: PixelSize, expecting expected: ExpectedSubject) {
        let habit = Habit(expected)
        down = (0..<size.height).map { row in
            let distance = abs((Double(row) + 0.5) / Double(size.height) - habit.crest) / habit.spread
            return Float(exp(-distance * distance))
        }
        across = (0..<size.width).map { column in
            1 - habit.fall * Float(abs((2 * Double(column) + 1) / Double(size.width) - 1))
        }
    }

    private struct Habit {
        /// Where faces, or other subjects, are most often, as a share of the height.
        let crest: Double
        /// How far from there they still are.
        let spread: Double
        /// What the sides lose against the middle.
        let fall: Float

        init(_ expected: ExpectedSubject) {
            switch expected {
            case .people: (crest, spread, fall) = (0.15, 0.5, 0.4)
            case .things: (crest, spread, fall) = (0.5, 0.25, 0.7)
            }
        }
    }
}
