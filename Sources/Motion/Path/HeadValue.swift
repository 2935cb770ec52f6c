import Framing
import Geometry

/// The worth of a place for a crop: the faces and heads that it keeps, weighted as in stills.
struct HeadValue {
    let length: Double
    let room: Double
    private let people:
        [(face: (start: Double, end: Double), head: (start: Double, end: Double), tolerance: Double, weight: Double)]

    /// People in one frame; each face and head as an interval of the axis, with a weight of 0…1.
    init(_ people: [PresentPerson], crop: SlidingCrop) {
        length = crop.length
        room = crop.room
        self.people = people.map {
            ($0.face.span(crop.axis), $0.core.span(crop.axis), $0.tolerance, $0.weight)
        }
    }

    /// The heads kept by a crop that begins at `place`: 1 for a whole head of a certain person.
    func callAsFunction(_ place: Double) -> Double {
        var value = 0.0
        for person in people {
            let shares =
                CropScore.face * share(of: person.face, tolerance: person.tolerance, at: place)
                + CropScore.head * share(of: person.head, tolerance: person.tolerance, at: place)
            value += person.weight * shares
        }
        return value / (CropScore.face + CropScore.head)
    }

    /// The probability that the crop keeps an interval whose true edges are uniformly distributed within the tolerance.
    private func share(of interval: (start: Double, end: Double), tolerance: Double, at place: Double) -> Double {
        let before = place <= 0 ? tolerance : interval.start - place
        let after = place >= room ? tolerance : place + length - interval.end
        let least = min(before, after)
        if tolerance <= 0 { return least >= 0 ? 1 : 0 }
        return min(max((least + tolerance) / (2 * tolerance), 0), 1)
    }
}

/// A person in one frame.
struct PresentPerson {
    /// The share of a head's side that may be cut off at each edge; a twentieth of a head is not missed.
    static let spare = 0.025
    let face: FractionalRect
    let head: FractionalRect
    /// The uncertainty of edges, in pixels.
    let tolerance: Double
    /// The probability that it is a person, 0…1.
    let weight: Double

    /// The part of the head that must be kept.
    var core: FractionalRect {
        FractionalRect(
            x: head.x + Self.spare * head.width,
            y: head.y + Self.spare * head.height,
            width: (1 - 2 * Self.spare) * head.width,
            height: (1 - 2 * Self.spare) * head.height
        )
    }

    /// The same as the input of ``Framer``.
    var subject: Subject {
        // Framing expects the face inside of the head.
        let (head, face) = (head.rounded, face.rounded.intersection(head.rounded))
        return Subject(
            face: face.area > 0 ? face : head,
            head: head,
            reliability: min(Subject.certain, max(1, Int(weight * Double(Subject.certain)))),
            tolerance: Int(tolerance.rounded())
        )
    }
}
