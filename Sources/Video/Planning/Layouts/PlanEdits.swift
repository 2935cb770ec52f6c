import Geometry
package import Motion

/// An editor's changes to a plan.
package struct PlanEdits: Hashable, Sendable {
    /// A person of the plan, by number or by a place in a frame.
    package enum Person: Hashable, Sendable {
        case number(Int)
        /// The person nearest to a position in a frame, in pixels.
        case place(frame: Int, x: Double, y: Double)
    }

    /// A change of the shot that contains a frame.
    package struct Shot: Hashable, Sendable {
        package var frame: Int
        package var layout: Layout?
        /// The people to show; nil keeps the people of the plan.
        package var people: [Person]?

        /// Creates a change of one shot.
        ///
        /// - Parameters:
        ///   - frame: A frame of the shot, counted from 0.
        ///   - layout: The layout; nil keeps the layout of the plan.
        ///   - people: The people to show; nil keeps the people of the plan.
        package init(frame: Int, layout: Layout? = nil, people: [Person]? = nil) {
            (self.frame, self.layout, self.people) = (frame, layout, people)
        }
    }

    /// A place for the crop of a frame; crops of the frames around it move towards it.
    package struct Crop: Hashable, Sendable {
        package var frame: Int
        /// The left and the top edge, in pixels; nil keeps the edge of the plan.
        package var x: Double?
        package var y: Double?
        /// The pane, 0 or 1.
        package var pane: Int

        /// Creates a place of the crop in one frame.
        ///
        /// - Parameters:
        ///   - frame: The frame, counted from 0.
        ///   - x: The left edge, in pixels of the frame; nil keeps the left edge of the plan.
        ///   - y: The top edge, in pixels of the frame; nil keeps the top edge of the plan.
        ///   - pane: 0 for the first or only pane, 1 for the second.
        package init(frame: Int, x: Double? = nil, y: Double? = nil, pane: Int = 0) {
            (self.frame, self.x, self.y, self.pane) = (frame, x, y, pane)
        }
    }

    package var shots: [Shot]
    package var crops: [Crop]

    /// Creates changes; none by default.
    package init(shots: [Shot] = [], crops: [Crop] = []) { (self.shots, self.crops) = (shots, crops) }

    /// Returns the last change of a shot.
    func change(of frames: Range<Int>) -> Shot? { shots.last { frames.contains($0.frame) } }
}
