import Geometry

/// How much a person counts in the choice of a crop, in thousandths.
struct SubjectWeight {
    /// The weight of keeping the face and the head.
    var kept: Double
    /// The weight of not halving the face.
    var halved: Double

    /// The weight of a focal area: it counts by its own weight, and is not a face.
    init(focal: Subject) {
        kept = Double(focal.reliability)
        halved = 0
    }

    /// The weight of a person whose face has a share of the side of the largest one, and may be cut by the image's edge.
    private init(_ person: Subject, share: Double, isCut: Bool) {
        let reliability = Double(person.reliability)
        // The 16th root of the share of the area. Roots of two are equal on all processors; `pow` need not be.
        let root = share.squareRoot().squareRoot().squareRoot()
        kept = reliability * root * min(1, share / Self.smallShare) * (isCut ? Self.cutShare : 1)
        halved = reliability * share
    }

    /// The weight of each person: the reliability, times the 16th root of the face's share of the area of the largest
    /// face, and less for small and cut faces and for crowds.
    ///
    /// The root hardly matters where crops keep different numbers of people. Where they keep as many, it prefers the
    /// larger ones to those of which the detector happens to be surer (docs/contributing/framing-research.md). A face with less than
    /// ``smallShare`` of the largest one's side is in the background, and its weight falls in proportion to its side.
    /// From ``leastCrowd`` such faces on, they are a crowd, and together count no more than ``crowdWeight`` people. A
    /// face that the image's edge cuts has ``cutShare`` of its weight, unless all are cut, and the largest face is chosen
    /// by as much of its side.
    static func weights(of people: [Subject], in size: PixelSize) -> [SubjectWeight] {
        let sides = people.map { Double($0.face.area).squareRoot() }
        let touching = people.map { $0.face.touchesEdge(of: size) }
        let areCut = touching.contains(false) ? touching : touching.map { _ in false }
        let largest = zip(sides, areCut).map { $1 ? cutShare * $0 : $0 }.max() ?? 1
        let shares = sides.map { min(1, $0 / largest) }
        var weights = people.indices.map { SubjectWeight(people[$0], share: shares[$0], isCut: areCut[$0]) }
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
