package import Geometry

/// The crop around people, animals and things that the subject network found.
///
/// A subject counts by its score, the fraction of the image that it covers, and its class. A crop scores the visible
/// part of each subject, and for people and animals also whether their estimated head is whole. Attention breaks ties.
/// docs/framing.md describes the rule, docs/contributing/framing-research.md has the measurements.
package struct SubjectFraming {
    /// One subject as the rule sees it.
    private struct Weighted {
        let box: FractionalRect
        /// The estimated head, and the part of the weight that depends on it.
        let head: (rect: FractionalRect, part: Double, axes: [AttentionSearch.Axis])?
        let weight: Double
    }

    private let subjects: [Weighted]
    private let size: PixelSize

    /// Subjects of every class; nil if none is certain enough.
    ///
    /// - Parameters:
    ///   - detected: The detections, in pixels of the image; those outside of it or without an area are ignored.
    ///   - people: The people whose faces were found, who count as certain persons.
    ///   - size: The size of the image in pixels.
    package init?(_ detected: [DetectedSubject], people: [Subject] = [], in size: PixelSize) {
        self.init(Self.joined(detected, people, in: size), in: size) { $0.kind.importance }
    }

    /// Subjects of the requested classes only; nil if none is certain enough.
    ///
    /// - Parameters:
    ///   - detected: The detections, in pixels of the image; those outside of it or without an area are ignored.
    ///   - people: The people whose faces were found, who count as certain persons.
    ///   - classes: The classes and their weights.
    ///   - size: The size of the image in pixels.
    package init?(
        _ detected: [DetectedSubject],
        people: [Subject] = [],
        only classes: [WantedClass],
        in size: PixelSize
    ) {
        self.init(Self.joined(detected, people, in: size), in: size) { subject in
            classes.first { $0.kind == subject.kind }?.weight ?? 0
        }
    }

    private init?(_ detected: [DetectedSubject], in size: PixelSize, importance: (DetectedSubject) -> Double) {
        let certain = detected.filter { $0.score >= SubjectConstants.certain }
        let weighted = certain.map { subject in
            Weighted(
                box: subject.box,
                head: subject.weightedHead,
                weight: importance(subject) * subject.score * subject.score * subject.coverage(of: size)
            )
        }
        let most = weighted.map(\.weight).max() ?? 0
        guard most > 0, most.isFinite else { return nil }
        subjects = weighted.filter { $0.weight >= SubjectConstants.minor * most }
        self.size = size
    }

    /// The detections that are inside of the image, with the found faces as heads of persons.
    private static func joined(
        _ detected: [DetectedSubject],
        _ people: [Subject],
        in size: PixelSize
    ) -> [DetectedSubject] {
        var subjects = detected.compactMap { $0.bounded(by: size) }
        for person in people {
            let head = FractionalRect(person.head)
            let middle = (x: head.x + head.width / 2, y: head.y + head.height / 2)
            let owner = subjects.indices.filter {
                subjects[$0].kind == .person && subjects[$0].face == nil && subjects[$0].box.contains(middle)
            }
            .min { subjects[$0].box.area < subjects[$1].box.area }
            if let owner {
                subjects[owner].face = head
                subjects[owner].score = 1
            } else if var alone = DetectedSubject(.person, box: head.withBody, score: 1).bounded(by: size) {
                alone.face = head
                subjects.append(alone)
            }
        }
        return subjects
    }

    // MARK: Search

    /// The best crop of a size.
    ///
    /// - Parameters:
    ///   - crop: The size of the crop, at most the image's.
    ///   - attention: The crop of the same size that attention prefers.
    ///   - bounds: The rectangle in which the crop must lie; nil for the image.
    /// - Returns: The crop, and the rectangle around the subjects that it mostly shows; nil if it shows none.
    package func crop(
        _ crop: PixelSize,
        near attention: PixelRect,
        within bounds: PixelRect? = nil
    ) -> (crop: PixelRect, shown: PixelRect?) {
        let bounds = bounds ?? PixelRect(size)
        let x = start(.across, length: crop.width, from: bounds.x, slack: bounds.width - crop.width, near: attention.x)
        let y = start(.down, length: crop.height, from: bounds.y, slack: bounds.height - crop.height, near: attention.y)
        let rect = PixelRect(x: x, y: y, width: crop.width, height: crop.height)
        let shown = subjects.compactMap { subject -> PixelRect? in
            let part = subject.box.outer.intersection(rect)
            return 2 * part.area >= subject.box.outer.area ? part : nil
        }
        return (rect, shown.isEmpty ? nil : PixelRect(around: shown))
    }

    /// The best first pixel of the crop along an axis.
    private func start(
        _ axis: AttentionSearch.Axis,
        length: Int,
        from first: Int,
        slack: Int,
        near attention: Int
    ) -> Int {
        guard slack > 0, length > 0 else { return first }
        let steps = min(slack, SubjectConstants.positions)
        let extent = Double(length)
        let starts = (0...steps).map { Double(first) + Double(slack * $0) / Double(steps) }
        let total = subjects.reduce(0) { $0 + $1.weight }
        let values = starts.map { start in
            let distance = min(1, abs(start - Double(attention)) / extent)
            return subjects.reduce(SubjectConstants.attention * total * (1 - distance)) {
                $0 + value(of: $1, axis, start, extent)
            }
        }
        var best = 0
        for index in values.indices where values[index] > values[best] { best = index }
        let least = values[best] - SubjectConstants.tolerance * total
        var (lower, upper) = (best, best)
        while lower > 0, values[lower - 1] >= least { lower -= 1 }
        while upper < steps, values[upper + 1] >= least { upper += 1 }
        let chosen = centred(axis, starts[best], between: starts[lower], starts[upper], extent)
        return min(max(first, Int(chosen.rounded())), first + slack)
    }

    /// The value of one subject for an interval: its visible part, and whether its head is whole.
    private func value(of subject: Weighted, _ axis: AttentionSearch.Axis, _ start: Double, _ extent: Double) -> Double
    {
        let span = subject.box.span(axis)
        let visible = span.overlap(with: start, extent) / max(1e-6, min(span.length, extent))
        guard let head = subject.head, head.axes.contains(axis) else { return subject.weight * visible }
        let headSpan = head.rect.span(axis)
        guard headSpan.length <= extent, headSpan.length > 0 else { return subject.weight * visible }
        let isWhole = headSpan.overlap(with: start, extent) > SubjectConstants.wholeHead * headSpan.length
        return subject.weight * ((1 - head.part) * visible + (isWhole ? head.part : 0))
    }

    /// The position that is centred on the subjects which the best crop mostly shows, within equally good positions.
    ///
    /// A subject that is longer than the crop is not centred: its head would be cut.
    private func centred(
        _ axis: AttentionSearch.Axis,
        _ best: Double,
        between lower: Double,
        _ upper: Double,
        _ extent: Double
    ) -> Double {
        let heaviest = subjects.max { $0.weight < $1.weight }
        if let heaviest, heaviest.box.span(axis).length > SubjectConstants.tooLong * extent { return best }
        var (sum, weights) = (0.0, 0.0)
        for subject in subjects {
            let span = subject.box.span(axis)
            guard span.overlap(with: best, extent) >= SubjectConstants.mostlyShown * min(span.length, extent) else {
                continue
            }
            sum += subject.weight * (span.start + span.length / 2)
            weights += subject.weight
        }
        guard weights > 0 else { return best }
        return min(max(sum / weights - extent / 2, lower), upper)
    }
}

extension DetectedSubject {
    /// The head with the part of the weight that depends on it; an animal's counts from top to bottom only, because it
    /// may be at either side.
    fileprivate var weightedHead: (rect: FractionalRect, part: Double, axes: [AttentionSearch.Axis])? {
        guard let head = estimatedHead else { return nil }
        return kind.isAnimal
            ? (head, SubjectConstants.animalHeadPart, [.down])
            : (head, SubjectConstants.personHeadPart, [.across, .down])
    }

    /// The fraction of an image that the box covers, to the power of 0.75.
    ///
    /// Roots of two are equal on all processors; `pow` need not be.
    fileprivate func coverage(of size: PixelSize) -> Double {
        let root = (max(1e-6, box.area / Double(max(1, size.area)))).squareRoot()
        return root * root.squareRoot()
    }

    /// The subject, clipped to an image; nil if nothing of it is inside, or if a number is not finite.
    fileprivate func bounded(by size: PixelSize) -> DetectedSubject? {
        guard score > 0, [box.x, box.y, box.width, box.height].allSatisfy({ abs($0) <= 1e9 }) else { return nil }
        let (left, top) = (max(0, box.x), max(0, box.y))
        let width = min(box.x + box.width, Double(size.width)) - left
        let height = min(box.y + box.height, Double(size.height)) - top
        guard width > 0, height > 0 else { return nil }
        var subject = self
        subject.box = FractionalRect(x: left, y: top, width: width, height: height)
        subject.score = min(1, score)
        return subject
    }
}

/// A part of an axis, in pixels.
private struct Span {
    let start, length: Double

    /// The length that an interval has in common with the span.
    func overlap(with first: Double, _ extent: Double) -> Double {
        max(0, min(first + extent, start + length) - max(first, start))
    }
}

extension FractionalRect {
    fileprivate var area: Double { width * height }

    fileprivate func span(_ axis: AttentionSearch.Axis) -> Span {
        switch axis {
        case .across: Span(start: x, length: width)
        case .down: Span(start: y, length: height)
        }
    }

    fileprivate func contains(_ point: (x: Double, y: Double)) -> Bool {
        point.x >= x && point.x < x + width && point.y >= y && point.y < y + height
    }

    /// The pixels that the rectangle touches.
    fileprivate var outer: PixelRect {
        let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        return PixelRect(
            x: left,
            y: top,
            width: Int((x + width).rounded(.up)) - left,
            height: Int((y + height).rounded(.up)) - top
        )
    }

    /// The rectangle of a person whose head this is: two heads wide and four high.
    fileprivate var withBody: FractionalRect {
        FractionalRect(x: x - width / 2, y: y, width: 2 * width, height: 4 * height)
    }
}
