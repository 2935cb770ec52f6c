import Geometry

extension DetectedSubject {
    /// The estimated head in pixels of the image; nil for things, and for people whose box is too low to show one.
    ///
    /// It may extend beyond the image.
    package var estimatedHead: FractionalRect? {
        if let face { return face }
        if kind.isAnimal {
            return FractionalRect(
                x: box.x,
                y: box.y,
                width: box.width,
                height: SubjectConstants.animalHead * box.height
            )
        }
        guard kind == .person, box.height > SubjectConstants.uprightPerson * box.width else { return nil }
        let height = SubjectConstants.personHead * box.height
        let width = min(box.width, 2 * SubjectConstants.headWidth * height)
        let hair = SubjectConstants.hair * box.height
        return FractionalRect(
            x: box.x + (box.width - width) / 2,
            y: box.y - hair,
            width: width,
            height: height + hair
        )
    }
}
