import Imaging

extension Orientation {
    /// The searched rotations for people who lie down.
    static let searchedTurns: [Orientation] = [.right, .left, .down]

    /// The rotation in degrees clockwise.
    var degrees: Int {
        switch self {
        case .right: 90
        case .down: 180
        case .left: 270
        default: 0
        }
    }
}
