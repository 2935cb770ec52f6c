package import Geometry

/// A crop and the reason for its position.
package struct Frame: Hashable, Sendable {
    /// The crop in pixels of the upright image.
    package var crop: PixelRect
    /// The crop before it is clamped to the image.
    ///
    /// It may extend beyond the image's edges. It has the same size as the crop, except for a portrait of one face,
    /// which the image may truncate.
    package var unclamped: PixelRect
    /// The rule that determined the crop.
    package var decision: Decision
    /// Whether the whole head is inside the crop, for each subject in order.
    package var kept: [Bool]
    /// The outcome for each subject, in order.
    package var outcomes: [Outcome]
    /// The bars that produce the requested aspect ratio; nil if the crop already has this ratio.
    package var letterbox: Letterbox?
    /// The smallest rectangle around the kept heads and focal areas that determined the crop; nil if none determined
    /// it.
    package var subjectArea: PixelRect?
}

extension Frame {
    /// Converts a frame of a part of an image to pixels of the whole image.
    package mutating func move(from area: PixelRect) {
        crop = crop.moved(x: area.x, y: area.y)
        unclamped = unclamped.moved(x: area.x, y: area.y)
        subjectArea = subjectArea?.moved(x: area.x, y: area.y)
    }
}

extension Frame {
    /// Creates the frame of a crop placed for some of the subjects, with the outcome for all subjects.
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
    /// Replaces the crop with a nearby crop inside the image, such as a crop that begins at block boundaries.
    ///
    /// The subjects must be the subjects of the frame, in the same order.
    package mutating func move(to crop: PixelRect, subjects: [Subject]) {
        // The difference between the clamped and the unclamped crop stays the same.
        unclamped.x += crop.x - self.crop.x
        unclamped.y += crop.y - self.crop.y
        unclamped.width += crop.width - self.crop.width
        unclamped.height += crop.height - self.crop.height
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
