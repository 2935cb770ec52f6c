/// The usual role of a class of objects in an image.
package enum SubjectKind: Hashable, Sendable {
    /// A person: the head is at the top of the box.
    case person
    /// An animal or a toy animal: the head is somewhere in the upper part of the box.
    case animal
    /// Furniture, rooms and things that people carry: usually around the subject, and seldom the subject itself.
    case surroundings
    /// Any other thing.
    case thing
}

extension SubjectClass {
    /// The usual role of objects of this class in an image.
    package var kind: SubjectKind {
        switch self {
        case .person: .person
        case .bird, .cat, .dog, .horse, .sheep, .cow, .elephant, .bear, .zebra, .giraffe, .teddyBear: .animal
        case .bench, .chair, .couch, .pottedPlant, .bed, .diningTable, .sink, .refrigerator, .oven, .tv, .book,
            .trafficLight, .handbag, .tie, .backpack, .cellPhone, .remote, .keyboard, .mouse, .knife, .fork, .spoon:
            .surroundings
        default: .thing
        }
    }
}
