/// What a crop means for one person in the image.
package enum Outcome: Hashable, Codable, Sendable {
    /// The whole head is inside the crop.
    case kept
    /// The person was to be kept, and the head is not whole, or not there at all.
    case cut(Reason)
    /// The gravity asks for others, or for no faces: the crop was chosen without regard to this person.
    case ignored

    /// Why a head is cut.
    package enum Reason: String, Hashable, Codable, Sendable, CaseIterable {
        /// The head is larger than any crop of the shape.
        case tooLarge
        /// The head lies, at least in part, outside of the crop that keeps the most.
        case outside
    }
}

extension Frame {
    /// A crop that was chosen for some of the subjects, and what it means for all of them.
    init(_ placed: PlacedCrop, decision: String, subjects: [Subject], chosen: [Subject], widest: PixelSize) {
        crop = placed.crop
        unclamped = placed.unclamped
        self.decision = decision
        kept = subjects.map { placed.crop.contains($0.head) }
        let chosen = Set(chosen)
        outcomes = zip(subjects, kept).map { subject, isKept in
            guard chosen.contains(subject) else { return .ignored }
            if isKept { return .kept }
            let fits = subject.head.width <= widest.width && subject.head.height <= widest.height
            return .cut(fits ? .outside : .tooLarge)
        }
    }
}
