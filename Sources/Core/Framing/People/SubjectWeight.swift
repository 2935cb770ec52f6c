import Geometry

/// How much a person counts in the choice of a crop, in thousandths.
struct SubjectWeight {
    /// The weight of keeping the face and the head.
    var kept: Double
    /// The weight of not halving the face.
    var halved: Double
    /// The part of the weight that counts, from 0 to 1: less than 1 for a blurred face.
    var focus = 1.0

    /// The weight of a focal area: it counts by its own weight, and is not a face.
    init(focal: Subject) {
        kept = Double(focal.reliability)
        halved = 0
    }

    /// The weight of a person whose face has a share of the side of the largest one.
    ///
    /// - Parameters:
    ///   - person: The person.
    ///   - share: The face's share of the largest side, at most 1.
    ///   - part: The part of the weight that counts, at most 1; less for a cut or blurred face.
    ///   - focus: The same for a blurred face alone.
    private init(_ person: Subject, share: Double, part: Double, focus: Double) {
        let reliability = Double(person.reliability)
        // The 16th root of the share of the area. Roots of two are equal on all processors; `pow` need not be.
        let root = share.squareRoot().squareRoot().squareRoot()
        kept = reliability * root * min(1, share / Self.smallShare) * part
        halved = reliability * share * focus
        self.focus = focus
    }

    /// The weight of each person: the reliability, times the 16th root of the face's share of the area of the largest
    /// face, and less for small, cut and blurred faces and for crowds.
    ///
    /// The root hardly matters where crops keep different numbers of people. Where they keep as many, it prefers the
    /// larger ones to those of which the detector happens to be surer (docs/contributing/framing-research.md). A face with less than
    /// ``smallShare`` of the largest one's side is in the background, and its weight falls in proportion to its side.
    /// From ``leastCrowd`` such faces on, they are a crowd, and together count no more than ``crowdWeight`` people. A
    /// face that the image's edge cuts has ``cutShare`` of its weight, unless all are cut, and the largest face is chosen
    /// by as much of its side. The same applies to a blurred face, with the part that ``focus(of:)`` computes.
    static func weights(of people: [Subject], in size: PixelSize) -> [SubjectWeight] {
        let sides = people.map { Double($0.face.area).squareRoot() }
        let touching = people.map { $0.face.touchesEdge(of: size) }
        let areCut = touching.contains(false) ? touching : touching.map { _ in false }
        let focus = focus(of: people)
        let parts = zip(areCut, focus).map { ($0 ? cutShare : 1) * $1 }
        let largest = zip(sides, parts).map { $0 * $1 }.max() ?? 1
        let shares = sides.map { min(1, $0 / largest) }
        var weights = people.indices.map {
            SubjectWeight(people[$0], share: shares[$0], part: parts[$0], focus: focus[$0])
        }
        let small = shares.indices.filter { shares[$0] < smallShare }
        let sum = small.reduce(0.0) { $0 + weights[$1].kept }
        let most = crowdWeight * Double(Subject.certain)
        guard small.count >= leastCrowd, sum > most else { return weights }
        for index in small {
            weights[index].kept *= most / sum
            weights[index].halved *= most / sum
        }
        return weights
    }

    /// The part of the weight of each person that counts, from 0 to 1: 1 for a face with at least ``sharpShare`` of the
    /// sharpness of the sharpest one, and the fourth power of its share of that for a face out of focus.
    private static func focus(of people: [Subject]) -> [Double] {
        let sharpest = Double(people.compactMap(\.sharpness).max() ?? 0)
        return people.map { person in
            guard let sharpness = person.sharpness, sharpest > 0 else { return 1 }
            let share = min(1, Double(sharpness) / (sharpShare * sharpest))
            return share * share * share * share
        }
    }

    /// The share of the sharpness of the sharpest face below which a face is out of focus.
    private static let sharpShare = 0.75
    /// The share of the side of the largest face below which a face is in the background.
    private static let smallShare = 0.75
    /// The number of faces in the background from which they are a crowd.
    private static let leastCrowd = 12
    /// The weight of a crowd, in certain people.
    private static let crowdWeight = 3.0
    /// The share of its weight, and of its side, that a face counts with if the image's edge cuts it.
    private static let cutShare = 0.5
}

extension PixelRect {
    /// Whether this rectangle of an image touches one of the image's edges.
    fileprivate func touchesEdge(of size: PixelSize) -> Bool {
        x <= 0 || y <= 0 || maxX >= size.width || maxY >= size.height
    }
}
