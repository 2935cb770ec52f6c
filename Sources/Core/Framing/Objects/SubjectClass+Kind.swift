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
