/// The constants of the choice of a crop around objects of the subject network.
///
/// Most constants were chosen on other images than the test images; `docs/contributing/framing-research.md` contains
/// the measurements. The program uses ``chosen``; other values are for measurements.
package struct SubjectConstants: Hashable, Codable, Sendable {
    // MARK: Weights

    /// The minimum score of an object that counts.
    package var minScore = 0.3
    /// The factor of the weight of an animal; the factor of a person is 1.
    package var animal = 2.0
    /// The factor of the weight of things that are usually the subject.
    package var thing = 0.7
    /// The factor of the weight of furniture and other things that usually surround a subject.
    package var surroundings = 0.7
    /// The minimum weight of an object that counts, as a fraction of the weight of the heaviest object.
    package var minRelativeWeight = 0.2

    // MARK: Heads

    /// The fraction of the weight of a person that depends on the whole head.
    package var personHead = 0.5
    /// The fraction of the weight of an animal that depends on the whole head.
    package var animalHead = 0.2
    /// The height of the head of a person, as a fraction of the height of the box.
    package var personHeadHeight = 0.22
    /// The height of the head of an animal, as a fraction of the height of the box.
    package var animalHeadHeight = 0.25

    // MARK: Attention

    /// The weight of attention, as a fraction of the weight of all objects.
    package var attention = 0.1
    /// The minimum weight of attention, so that small or uncertain objects do not outweigh it.
    package var minAttention = 0.005
    /// The maximum decrease of a crop's value that is accepted to centre the objects, as a fraction of their weight.
    package var tolerance = 0.015

    /// The constants of the program.
    package static let chosen = SubjectConstants()
}
