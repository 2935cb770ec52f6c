import Geometry

/// The position prior: how likely a subject is at each row and column of an image.
///
/// It has no constants.
struct PositionPrior {
    /// For each row, 0…1.
    let down: [Float]
    /// For each column, 0…1.
    let across: [Float]

    init(_ size: PixelSize, expecting expected: ExpectedSubject) {
        let rows = (0..<size.height).map { (Float($0) + 0.5) / Float(size.height) }
        let fromMiddle = { (count: Int) in (0..<count).map { abs((2 * Float($0) + 1) / Float(count) - 1) } }
        switch expected {
        case .people:
            // Heads are at the top, and people stand side by side: the parabola is flat in the middle.
            down = rows.map { 1 - $0 }
            across = fromMiddle(size.width).map { 1 - $0 * $0 }
        case .things:
            down = fromMiddle(size.height).map { 1 - $0 }
            across = fromMiddle(size.width).map { 1 - $0 }
        }
    }
}
