package import Framing

/// A face that the detector found in one frame.
package struct FaceSighting: Hashable, Sendable {
    /// The face, the head and the reliability, in pixels of the frame.
    package var subject: Subject
    /// Whether the score is above the detector's own threshold; doubtful sightings continue a track and begin none.
    package var isSure: Bool

    /// A sighting of a subject.
    package init(_ subject: Subject, isSure: Bool = true) {
        self.subject = subject
        self.isSure = isSure
    }
}
