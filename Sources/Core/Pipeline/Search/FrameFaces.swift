import Framing
import Geometry

/// The faces that a search finds in one frame of a video.
package struct FrameFaces {
    /// Faces above the detector's threshold, each once.
    package internal(set) var sure: [Face] = []
    /// Detections below the threshold, with a score of at least ``FrameTask/doubtful``.
    package internal(set) var doubtful: [Face] = []
    /// The detections of all passes, for redaction.
    package internal(set) var all: [Face] = []
    /// People found by their bodies, with or without a visible face; empty if the program was built without the subject
    /// network.
    package internal(set) var people: [FramePerson] = []

    /// The ``people`` without a detected face, who have turned away or whose face is covered.
    package var peopleWithoutFaces: [FramePerson] {
        let faces = (sure + doubtful).map(\.box)
        return people.filter { person in
            let head = person.subject.head
            // The estimated head of a cut body may be higher than the face.
            let share = person.isCut ? 4 : 2
            return !faces.contains { face in share * face.intersection(head).area >= min(face.area, head.area) }
        }
    }
}
