import Geometry
import Glibc

/// The position prior: how likely a subject is at each row and column of a picture.
struct PositionPrior {
    /// For each row, 0…1.
    let down: [Float]
    /// For each column, 0…1.
    let across: [Float]

    init(_ size: PixelSize, expecting expected: ExpectedSubject) {
        let profile = Profile(expected)
        down = (0..<size.height).map { row in
            let distance = abs((Double(row) + 0.5) / Double(size.height) - profile.crest) / profile.spread
            return Float(exp(-distance * distance))
        }
        across = (0..<size.width).map { column in
            1 - profile.fall * Float(abs((2 * Double(column) + 1) / Double(size.width) - 1))
        }
    }

    private struct Profile {
        /// The most likely row, as a share of the height.
        let crest: Double
        /// The standard width of the distribution around it.
        let spread: Double
        /// The reduction at the sides against the middle.
        let fall: Float

        init(_ expected: ExpectedSubject) {
            switch expected {
            case .people: (crest, spread, fall) = (0.15, 0.5, 0.4)
            case .things: (crest, spread, fall) = (0.5, 0.25, 0.7)
            }
        }
    }
}
