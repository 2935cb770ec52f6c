import Geometry

/// The importance of a person in the choice of a crop, in thousandths.
struct SubjectWeight {
    /// The weight of keeping the face and the head.
    var kept: Double
    /// The weight of not halving the face.
    var halved: Double
    /// The fraction of the weight that counts, from 0 to 1; it is less than 1 for a blurred face.
    var focus = 1.0
    /// Whether the face is certain, compared with the other faces.
    var isCertain = true

    /// Creates the weight of a focal area, which is the area's own weight; a focal area is not a face.
    init(focal: Subject) {
        kept = Double(focal.reliability)
        halved = 0
    }

    /// Creates the weight of a person whose face has a fraction of the side of the largest face.
    ///
    /// - Parameters:
    ///   - person: The person.
    ///   - share: The face's side, as a fraction of the largest side, at most 1.
    ///   - part: The fraction of the weight that counts, at most 1; it is less for an uncertain, cut or blurred face.
    ///   - focus: The same fraction, but only for uncertainty and blur.
    ///   - isCertain: Whether the face is certain.
    ///   - constants: The constants of the rule.
    private init(
        _ person: Subject,
        share: Double,
        part: Double,
        focus: Double,
        isCertain: Bool,
        _ constants: PeopleConstants
    ) {
        let reliability = Double(person.reliability)
        // This is the 16th root of the area's fraction. Square roots are equal on all processors, but `pow` may differ.
        let root = share.squareRoot().squareRoot().squareRoot()
        let small = min(1, share / constants.smallShare)
        kept = reliability * root * small * small * part
        halved = reliability * share * focus
        self.focus = focus
        self.isCertain = isCertain
    }

    /// Returns the weight of each person.
    ///
    /// The weight is the reliability multiplied by the 16th root of the face's area, as a fraction of the area of the
    /// largest certain face. It is reduced for small, uncertain, cut and blurred faces, and for crowds.
    ///
    /// If crops keep different numbers of people, the root has hardly any effect. If they keep equal numbers, it gives
    /// larger faces priority over faces with a slightly higher score (docs/contributing/framing-research.md). A face
    /// with less than `smallShare` of the side of the largest certain face is in the background, and its weight falls
    /// in proportion to its area. At least `minCrowd` faces below `crowdShare` are a crowd, and together count for at
    /// most `crowdWeight` people.
    ///
    /// A face that the image's edge cuts has `cutShare` of its weight, unless all faces are cut. The same fraction of
    /// its side counts in the choice of the largest face. A blurred face is treated in the same way, with the part that
    /// ``focus(of:certain:_:)`` computes.
    ///
    /// Faces are only compared with certain faces. An uncertain face may not be a face, so it does not reduce the
    /// weight of other faces.
    static func weights(
        of people: [Subject],
        in size: PixelSize,
        _ constants: PeopleConstants = .chosen
    ) -> [SubjectWeight] {
        let certainty = Certainty(of: people, constants)
        let areCertain = certainty.areCertain
        let sides = people.map { Double($0.face.area).squareRoot() }
        let touching = people.map { $0.face.touchesEdge(of: size) }
        let isAnyWhole = zip(touching, areCertain).contains { !$0 && $1 }
        let focus = zip(focus(of: people, areCertain, constants), certainty.fractions).map {
            $0 * (constants.minCertainty + (1 - constants.minCertainty) * $1)
        }
        let parts = zip(touching, focus).map { ($0 && isAnyWhole ? constants.cutShare : 1) * $1 }
        let largest = people.indices.filter { areCertain[$0] }.map { sides[$0] * parts[$0] }.max() ?? 1
        let shares = sides.map { min(1, $0 / largest) }
        var weights = people.indices.map {
            SubjectWeight(
                people[$0],
                share: shares[$0],
                part: parts[$0],
                focus: focus[$0],
                isCertain: areCertain[$0],
                constants
            )
        }
        let small = shares.indices.filter { shares[$0] < constants.crowdShare }
        let sum = small.reduce(0.0) { $0 + weights[$1].kept }
        let maximum = constants.crowdWeight * Double(Subject.certain)
        guard small.reduce(0, { $0 + certainty.fractions[$1] }) >= constants.minCrowd, sum > maximum else {
            return weights
        }
        for index in small {
            weights[index].kept *= maximum / sum
            weights[index].halved *= maximum / sum
        }
        return weights
    }

    /// Returns the part of the weight of each person that counts, from 0 to 1.
    ///
    /// The part is 1 for a face with at least `sharpShare` of the sharpness of the sharpest certain face. For a face
    /// out of focus, it is the fourth power of the face's sharpness as a fraction of this minimum.
    private static func focus(
        of people: [Subject],
        _ areCertain: [Bool],
        _ constants: PeopleConstants
    ) -> [Double] {
        let sharpest = zip(people, areCertain).compactMap { $1 ? $0.sharpness : nil }.max() ?? 0
        return people.map { person in
            guard let sharpness = person.sharpness, sharpest > 0 else { return 1 }
            let share = min(1, Double(sharpness) / (constants.sharpShare * Double(sharpest)))
            return share * share * share * share
        }
    }
}

extension PixelRect {
    /// Whether this rectangle of an image touches one of the image's edges.
    fileprivate func touchesEdge(of size: PixelSize) -> Bool {
        x <= 0 || y <= 0 || maxX >= size.width || maxY >= size.height
    }
}
