import Geometry
package import Motion

/// The crops of a shot, with its layout and the reason for the layout.
struct ShotPlan {
    var layout: Layout
    var reason: String
    /// The people who are shown, as positions of tracks, in the order of the panes or of their first segments.
    var people: [Int]
    var frames: [ShotFrame]
    /// Positions of the frames where the crop jumps to another person.
    var cuts: Set<Int> = []
}

/// A shot of a plan.
package struct PlannedShot: Hashable, Sendable {
    /// The number, counted from 0.
    package var number: Int
    /// The frames.
    package var frames: Range<Int>
    /// The layout; never ``Layout/auto``.
    package var layout: Layout
    /// The reason for the layout, as a sentence without a full stop.
    package var reason: String
    /// The numbers of the people who are shown.
    package var people: [Int]

    /// Creates a shot of a plan.
    ///
    /// - Parameters:
    ///   - number: Counted from 0.
    ///   - frames: Half-open, and counted from 0 over the clip.
    ///   - layout: Never ``Layout/auto``.
    ///   - reason: The reason for the layout, as a sentence without a full stop.
    ///   - people: The numbers of the people who are shown (``PlannedPerson/number``).
    package init(number: Int, frames: Range<Int>, layout: Layout, reason: String, people: [Int]) {
        self.number = number
        self.frames = frames
        self.layout = layout
        self.reason = reason
        self.people = people
    }
}

/// The crops of a clip, with the people and shots that they are based on.
package struct ClipPlan: Sendable {
    /// A crop for each frame.
    package var frames: [PlannedFrame]
    package var shots: [PlannedShot]
    package var people: [PlannedPerson]
    /// The times in which each person speaks.
    package var speech: [SpeechTurn]

    /// Creates a plan from consistent parts; nothing is checked.
    ///
    /// - Parameters:
    ///   - frames: A crop for each frame, in order.
    ///   - shots: Every shot, in order.
    ///   - people: The people of all shots.
    ///   - speech: The times in which each person speaks.
    package init(frames: [PlannedFrame], shots: [PlannedShot], people: [PlannedPerson], speech: [SpeechTurn]) {
        self.frames = frames
        self.shots = shots
        self.people = people
        self.speech = speech
    }
}
