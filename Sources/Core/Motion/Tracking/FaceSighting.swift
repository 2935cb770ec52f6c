package import Framing
import Geometry

/// A face that the detector found in one frame.
package struct FaceSighting: Hashable, Sendable {
    /// The face, the head and the reliability, in pixels of the frame.
    package var subject: Subject
    /// Whether the score is above the detector's own threshold; other sightings continue a track but do not begin one.
    package var isSure: Bool
    /// Whether the head is estimated from a cut body without a visible face: its top and its centre are accurate, not its
    /// size.
    ///
    /// Such a sighting continues a track with the size of the track's last face.
    package var isEstimated: Bool
    /// The motion of the lips relative to the rest of the face, 0 or more; nil if it is not known.
    package var lips: Double?

    /// Creates a sighting of a subject.
    ///
    /// - Parameters:
    ///   - subject: In pixels of the frame.
    ///   - isSure: Whether the score is above the detector's own threshold, so that it can begin a track.
    ///   - isEstimated: Whether the head is estimated from a cut body, so that its size is not accurate.
    ///   - lips: The motion of the lips relative to the rest of the face, 0 or more; nil if it is not known.
    package init(_ subject: Subject, isSure: Bool = true, isEstimated: Bool = false, lips: Double? = nil) {
        self.subject = subject
        self.isSure = isSure
        self.isEstimated = isEstimated
        self.lips = lips
    }
}
