/// The target of a live crop: stands still while the held people are well inside of the crop.
struct DeadZone {
    /// The room that people keep to the crop's edges while it stands still, as a share of its side.
    static let zone = 0.15
    /// How far people who need more room than that may be off the middle, as a share of the crop's side.
    private static let least = 0.06

    private(set) var target: Double
    private var isMoving = false

    init(at target: Double) { self.target = target }

    /// Updates the target of the crop's middle.
    ///
    /// - Parameters:
    ///   - aim: The best middle.
    ///   - required: What must be inside.
    ///   - length: The crop's side.
    ///   - current: The crop's middle now.
    mutating func update(aim: Double, required: (start: Double, end: Double)?, length: Double, current: Double) {
        var isOff = abs(aim - target) > Self.least * length
        if isOff, let required {
            let room = length * (0.5 - Self.zone)
            isOff = required.start < target - room || required.end > target + room
        }
        if isOff { isMoving = true }
        if isMoving {
            target = aim
            if abs(current - target) < 0.02 * length { isMoving = false }
        }
    }
}
