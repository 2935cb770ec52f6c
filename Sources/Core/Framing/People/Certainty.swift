/// The certainty of the people in an image, by the scores of their detections.
///
/// A certain face is the reference for the size, the sharpness and the completeness of the other faces. If there are
/// people, at least one is certain.
struct Certainty {
    /// For each person, from 0 to 1: the score as a fraction of the minimum score of a certain face.
    let fractions: [Double]

    /// Compares the scores of people in the same image.
    init(of people: [Subject], _ constants: PeopleConstants = .chosen) {
        let best = people.map { Double($0.score ?? Int(constants.fullScore)) }.max() ?? 0
        let minimum = min(best, constants.certainShare * min(best, constants.fullScore))
        fractions = people.map { person in
            guard let score = person.score, Double(score) < minimum else { return 1 }
            return minimum > 0 ? max(0, Double(score) / minimum) : 0
        }
    }

    /// Returns the certain people, in order.
    func certain(of people: [Subject]) -> [Subject] { zip(people, areCertain).filter(\.1).map(\.0) }

    /// Whether each person is certain.
    var areCertain: [Bool] { fractions.map { $0 >= 1 } }
}
