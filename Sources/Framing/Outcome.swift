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

extension Frame {
    /// Makes the crop another one near by, such as one that begins on the blocks of a file.
    ///
    /// - Parameters:
    ///   - crop: In the image.
    ///   - subjects: Those whom the crop was made for, in the same order.
    package mutating func move(to crop: PixelRect, subjects: [Subject]) {
        // What the image's edges took off stays taken off.
        unclamped = PixelRect(
            x: unclamped.x + crop.x - self.crop.x,
            y: unclamped.y + crop.y - self.crop.y,
            width: unclamped.width + crop.width - self.crop.width,
            height: unclamped.height + crop.height - self.crop.height
        )
        self.crop = crop
        kept = subjects.map { crop.contains($0.head) }
        outcomes = zip(outcomes, kept).map { outcome, isKept in
            switch outcome {
            case .ignored: .ignored
            case _ where isKept: .kept
            case .kept: .cut(.outside)
            case .cut: outcome
            }
        }
    }
}
