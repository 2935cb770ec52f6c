import Geometry
package import Motion

/// A person of a plan, who is a track within one shot.
package struct PlannedPerson: Hashable, Sendable {
    /// The number, counted from 1 over all shots.
    package var number: Int
    /// The shot.
    package var shot: Int
    /// The detections of the person, in frame order; not empty.
    package var sightings: [(frame: Int, sighting: FaceSighting)] {
        get { zip(frames, faces).map { ($0, $1) } }
        set { (frames, faces) = (newValue.map(\.frame), newValue.map(\.sighting)) }
    }

    private var frames: [Int] = []
    private var faces: [FaceSighting] = []

    /// Creates a person of one shot.
    ///
    /// - Parameters:
    ///   - number: Counted from 1 over all shots.
    ///   - shot: The number of the shot, counted from 0.
    ///   - sightings: The detections in frame order, with frames counted from 0; not empty.
    package init(number: Int, shot: Int, sightings: [(frame: Int, sighting: FaceSighting)]) {
        self.number = number
        self.shot = shot
        self.sightings = sightings
    }
}
