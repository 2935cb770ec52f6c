package import Geometry

/// The effect of a crop on one person in the image.
package enum Outcome: Hashable, Codable, Sendable {
    /// The whole head is inside the crop.
    case kept
    /// The person should be kept, but the head is cut or outside.
    case cut(Reason)
    /// The gravity refers to other people or to no faces; this person did not affect the crop.
    case ignored

    /// The reason why a head is cut.
    package enum Reason: String, Hashable, Codable, Sendable, CaseIterable {
        /// The head is larger than any crop of the shape.
        case tooLarge
        /// The head lies, at least in part, outside of the best crop.
        case outside
    }
}

extension Frame {
    /// A crop placed for some of the subjects, with the outcome for all of them.
    init(_ placed: PlacedCrop, decision: Decision, subjects: [Subject], chosen: [Subject], widest: PixelSize) {
        crop = placed.crop
        unclamped = placed.unclamped
        self.decision = decision
        kept = subjects.map { placed.crop.contains($0.head) }
        let shown = chosen.map(\.head).filter(placed.crop.contains)
        subjectArea = shown.isEmpty ? nil : PixelRect(around: shown)
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
    /// Replaces the crop by a nearby one, such as one that begins at block boundaries.
    ///
    /// - Parameters:
    ///   - crop: A crop inside the image.
    ///   - subjects: The subjects of the frame, in the same order.
    package mutating func move(to crop: PixelRect, subjects: [Subject]) {
        // The difference between the clamped and the unclamped crop stays the same.
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
