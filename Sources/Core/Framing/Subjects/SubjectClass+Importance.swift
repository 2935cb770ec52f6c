extension SubjectClass {
    /// Whether the class is an animal; a teddy bear counts as one.
    package var isAnimal: Bool {
        switch self {
        case .bird, .cat, .dog, .horse, .sheep, .cow, .elephant, .bear, .zebra, .giraffe, .teddyBear: true
        default: false
        }
    }

    /// Whether the class usually surrounds a subject and is seldom the subject itself.
    private var isSurrounding: Bool {
        switch self {
        case .bench, .chair, .couch, .pottedPlant, .bed, .diningTable, .sink, .refrigerator, .oven, .tv, .book,
            .trafficLight, .handbag, .tie, .backpack, .cellPhone, .remote, .keyboard, .mouse, .knife, .fork, .spoon:
            true
        default: false
        }
    }

    /// The weight of a subject of this class, compared with a person.
    var importance: Double {
        if self == .person { return 1 }
        if isAnimal { return SubjectConstants.animal }
        return isSurrounding ? SubjectConstants.surroundings : SubjectConstants.thing
    }
}
