import Framing
import Geometry

/// The value of a crop at a place: the faces and heads that it keeps, weighted as in stills.
struct PlacementScore {
    let length: Double
    let room: Double
    private let people:
        [(face: (start: Double, end: Double), head: (start: Double, end: Double), tolerance: Double, weight: Double)]

    /// Creates the score for the people of one frame, with faces and heads as intervals of the axis and weights of 0…1.
    init(_ people: [PresentPerson], crop: SlidingCrop) {
        length = crop.length
        room = crop.room
        self.people = people.map {
            ($0.face.span(crop.axis), $0.core.span(crop.axis), $0.tolerance, $0.weight)
        }
    }

    /// Returns the value of the heads kept by a crop that begins at `place`: 1 for a whole head of a certain person.
    func callAsFunction(_ place: Double) -> Double {
        let constants = PeopleConstants.chosen
        var value = 0.0
        for person in people {
            let shares =
                constants.face * share(of: person.face, tolerance: person.tolerance, at: place)
                + constants.head * share(of: person.head, tolerance: person.tolerance, at: place)
            value += person.weight * shares
        }
        return value / (constants.face + constants.head)
    }

    /// Returns the probability that the crop keeps an interval whose true edges are uniformly distributed within the
    /// tolerance.
    private func share(of interval: (start: Double, end: Double), tolerance: Double, at place: Double) -> Double {
        let before = place <= 0 ? tolerance : interval.start - place
        let after = place >= room ? tolerance : place + length - interval.end
        let minimum = min(before, after)
        if tolerance <= 0 { return minimum >= 0 ? 1 : 0 }
        return min(max((minimum + tolerance) / (2 * tolerance), 0), 1)
    }
}

/// A person in one frame.
struct PresentPerson {
    /// The fraction of a head's side that may be cut off at each edge; viewers do not notice that a twentieth is
    /// missing.
    static let spare = 0.025
    let face: FractionalRect
    let head: FractionalRect
    /// The uncertainty of edges, in pixels.
    let tolerance: Double
    /// The probability that the detection is a person, 0…1.
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

    /// The person as input of ``Framer``.
    var subject: Subject {
        // Framing expects the face inside the head.
        let (head, face) = (head.roundedToNearest, face.roundedToNearest.intersection(head.roundedToNearest))
        return Subject(
            face: face.area > 0 ? face : head,
            head: head,
            reliability: min(Subject.certain, max(1, Int(weight * Double(Subject.certain)))),
            tolerance: Int(tolerance.rounded())
        )
    }
}

/// The requirements on a crop for the people held in a frame.
struct HeldPeople {
    /// The size and place of the crop of a still image with these people.
    let aim: FractionalRect
    /// The rectangle that the crop must contain; nil if not even a face fits.
    let required: FractionalRect?

    /// Creates the requirements for the people to hold in one frame, at least one.
    init(_ people: [PresentPerson], request: MotionRequest, widest: SlidingCrop) {
        var framing = request.framing
        framing.gravity = .faces
        framing.fit = .cover
        let subjects = people.map(\.subject).filter { $0.face.area > 0 && $0.head.area > 0 }
        let still = try? Framer.frame(subjects, in: request.size, aspect: request.aspect, request: framing)
        let area = still?.crop ?? PixelRect(request.size)
        aim = Self.exact(area, widest: widest, in: request.size)
        // The crop of the still image includes padding, which is optional here. The crop must contain the heads or, if
        // they do not fit, the faces.
        let (width, height) = (aim.width + 0.5, aim.height + 0.5)
        required = [people.map(\.core), people.map(\.face)].map { FractionalRect(around: $0) }
            .first { $0.width <= width && $0.height <= height }
    }

    /// Returns a crop of whole pixels in the exact aspect ratio, with the same centre.
    private static func exact(_ crop: PixelRect, widest: SlidingCrop, in size: PixelSize) -> FractionalRect {
        let scale = min(
            1,
            crop.size.area == 0 ? 1 : max(Double(crop.width) / widest.width, Double(crop.height) / widest.height)
        )
        let (width, height) = (widest.width * scale, widest.height * scale)
        let x = Double(crop.x) + (Double(crop.width) - width) / 2
        let y = Double(crop.y) + (Double(crop.height) - height) / 2
        return FractionalRect(x: x, y: y, width: width, height: height).clamped(to: size)
    }
}
