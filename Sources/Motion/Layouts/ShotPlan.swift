import Geometry

/// The crops of a shot, its layout, and the reason for it.
struct ShotPlan {
    /// The crop of one frame, and other panes.
    struct Frame {
        var crop: FractionalRect
        var panes = Panes.one
        /// The number of people in the frame.
        var faces: Int
    }

    var layout: Layout
    var reason: String
    /// The people who are shown, as positions of tracks: in the order of panes, or of their first turn.
    var people: [Int]
    var frames: [Frame]
    /// Positions of frames at which the crop jumps to another person.
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

    package init(number: Int, frames: Range<Int>, layout: Layout, reason: String, people: [Int]) {
        self.number = number
        self.frames = frames
        self.layout = layout
        self.reason = reason
        self.people = people
    }
}

/// A person of a plan: a track within one shot.
package struct PlannedPerson: Hashable, Sendable {
    /// The number, counted from 1 over all shots.
    package var number: Int
    /// The shot.
    package var shot: Int
    /// The detections of the person, in the order of frames; not empty.
    package var sightings: [(frame: Int, sighting: FaceSighting)] {
        get { zip(frames, faces).map { ($0, $1) } }
        set { (frames, faces) = (newValue.map(\.frame), newValue.map(\.sighting)) }
    }

    private var frames: [Int] = []
    private var faces: [FaceSighting] = []

    package init(number: Int, shot: Int, sightings: [(frame: Int, sighting: FaceSighting)]) {
        self.number = number
        self.shot = shot
        self.sightings = sightings
    }
}

/// The crops of a clip, with the people and shots that they come from.
package struct ClipPlan: Sendable {
    /// A crop for each frame.
    package var frames: [PlannedFrame]
    package var shots: [PlannedShot]
    package var people: [PlannedPerson]
    /// When each person speaks.
    package var speech: [SpeechTurn]

    package init(frames: [PlannedFrame], shots: [PlannedShot], people: [PlannedPerson], speech: [SpeechTurn]) {
        self.frames = frames
        self.shots = shots
        self.people = people
        self.speech = speech
    }
}

/// An editor's changes to a plan.
package struct PlanEdits: Hashable, Sendable {
    /// A person of the plan, by number or by a place in a frame.
    package enum Person: Hashable, Sendable {
        case number(Int)
        /// The person nearest to a place, in pixels of the frame.
        case place(frame: Int, x: Double, y: Double)
    }

    /// A change of the shot that contains a frame.
    package struct Shot: Hashable, Sendable {
        package var frame: Int
        package var layout: Layout?
        /// The people to show; nil for the plan's own choice.
        package var people: [Person]?

        package init(frame: Int, layout: Layout? = nil, people: [Person]? = nil) {
            (self.frame, self.layout, self.people) = (frame, layout, people)
        }
    }

    /// A place for the crop of a frame; crops of the frames around it move towards it.
    package struct Crop: Hashable, Sendable {
        package var frame: Int
        /// The left and the top edge, in pixels; nil for that of the plan.
        package var x: Double?
        package var y: Double?
        /// The pane, 0 or 1.
        package var pane: Int

        package init(frame: Int, x: Double? = nil, y: Double? = nil, pane: Int = 0) {
            (self.frame, self.x, self.y, self.pane) = (frame, x, y, pane)
        }
    }

    package var shots: [Shot]
    package var crops: [Crop]

    /// Changes; none by default.
    package init(shots: [Shot] = [], crops: [Crop] = []) { (self.shots, self.crops) = (shots, crops) }

    /// The last change of a shot.
    func change(of frames: Range<Int>) -> Shot? { shots.last { frames.contains($0.frame) } }
}
