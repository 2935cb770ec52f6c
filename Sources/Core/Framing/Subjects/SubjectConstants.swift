/// The constants of ``SubjectFraming``, tuned on labelled images without faces;
/// docs/contributing/framing-research.md has the measurements.
enum SubjectConstants {
    /// The score from which a subject counts.
    static let certain = 0.3
    /// The fraction of the largest weight below which a subject does not count.
    static let minor = 0.2
    /// The weight of an animal, compared with a person.
    static let animal = 2.0
    /// The weight of a thing.
    static let thing = 0.7
    /// The weight of furniture and other things that usually surround a subject.
    static let surroundings = 0.7

    /// The height of a person's head as a fraction of the box, and of the hair above the box.
    static let personHead = 0.22
    static let hair = 0.03
    /// Half of the width of a head, in heights of the head.
    static let headWidth = 0.6
    /// The height of a person's box, in its widths, from which its upper part is the head.
    static let uprightPerson = 0.8
    /// The height of an animal's head as a fraction of the box.
    static let animalHead = 0.25
    /// The part of the weight of a person, and of an animal, that counts only if the head is whole.
    static let personHeadPart = 0.5
    static let animalHeadPart = 0.2
    /// The visible fraction from which a head is whole.
    static let wholeHead = 0.97

    /// The value of the position that attention prefers, as a fraction of the weight of all subjects.
    static let attention = 0.1
    /// The loss of value, as a fraction of the weight of all subjects, up to which positions are equally good.
    static let tolerance = 0.02
    /// The visible fraction from which a subject takes part in centring the crop.
    static let mostlyShown = 0.6
    /// The length of the heaviest subject, in lengths of the crop, from which the crop is not centred on it.
    static let tooLong = 1.05
    /// The number of positions along an axis that are tried.
    static let positions = 512
}
