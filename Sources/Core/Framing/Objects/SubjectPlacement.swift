package import Geometry

/// The placement of a crop around objects that a network found in an image without faces.
///
/// The value of a crop is the sum of the weights of the visible parts of all objects, and a part of each weight depends
/// on the whole head. The value is slightly higher near the crop that attention chooses. Weights grow with score and
/// area, so that one small or uncertain object does not decide. If all objects are small or uncertain,
/// ``SubjectConstants/minAttention`` keeps the crop near attention. Of nearly equal crops, the search chooses the crop
/// with the objects in its centre. All numbers are integers, so equal objects give equal crops on all processors.
package struct SubjectPlacement: Sendable {
    /// The objects that count, heaviest first; empty if no score is high enough.
    package let subjects: [WeighedSubject]
    private let constants: SubjectConstants

    /// The maximum number of objects that count.
    package static let maxCount = 64

    /// Weighs the objects of an image.
    ///
    /// - Parameters:
    ///   - subjects: The objects, with any numbers and in any number.
    ///   - size: The size of the upright image, not empty.
    ///   - factors: The factors of the weights of requested classes, 0 to ``WeighedSubject/maxFactor``; other classes
    ///     do not count. Nil for all classes with the usual factors.
    ///   - faces: Detected faces, which count as certain people. With faces, the network's people do not count, because
    ///     they are bystanders.
    ///   - constants: The constants of the rule.
    package init(
        _ subjects: [DetectedSubject],
        in size: PixelSize,
        factors: [SubjectClass: Double]? = nil,
        faces: [Subject] = [],
        constants: SubjectConstants = .chosen
    ) {
        var weighed = faces.map { WeighedSubject(face: $0, in: size, constants) }
        for subject in subjects {
            if !faces.isEmpty, subject.kind == .person { continue }
            let factor = factors.map { $0[subject.kind] ?? 0 }
            // A factor that is not a number does not count either.
            if let factor, !(factor > 0) { continue }
            if let one = WeighedSubject(subject, in: size, factor: factor, constants) { weighed.append(one) }
        }
        // Objects of equal weight keep their order.
        let order = weighed.indices.sorted { (-weighed[$0].weight, $0) < (-weighed[$1].weight, $1) }
        let heaviest = order.first.map { weighed[$0].weight } ?? 0
        let minimum = Int((constants.minRelativeWeight * Double(heaviest)).rounded(.up))
        self.subjects = order.prefix(Self.maxCount).map { weighed[$0] }.filter { $0.weight >= minimum }
        self.constants = constants
    }

    /// Whether no object counts, so that only attention decides.
    package var isEmpty: Bool { subjects.isEmpty }

    /// Returns the rectangle around the objects with at least half of their area in a crop; nil for none.
    package func area(in crop: PixelRect) -> PixelRect? {
        subjects.map(\.box).filter { 2 * $0.intersection(crop).area >= $0.area }.reduce(nil) { $0?.union($1) ?? $1 }
    }

    /// Returns the best crop of a size.
    ///
    /// - Parameters:
    ///   - crop: The crop of this size that attention chooses, inside the image.
    ///   - area: The rectangle that contains the crop: the image, or a part of it.
    /// - Returns: A crop of the same size inside `area`; `crop` itself if no object counts.
    package func crop(near crop: PixelRect, in area: PixelRect) -> PixelRect {
        if subjects.isEmpty { return crop }
        var best = crop
        best.x = search(\.columns, in: area.columns, crop.columns) { $0.kind == .person }.best()
        best.y = search(\.rows, in: area.rows, crop.rows) { _ in true }.best()
        return best
    }

    private func search(
        _ axis: (PixelRect) -> Range<Int>,
        in allowed: Range<Int>,
        _ attention: Range<Int>,
        hasHead: (WeighedSubject) -> Bool
    ) -> SubjectSearch {
        SubjectSearch(
            subjects: subjects.map { subject in
                let head = hasHead(subject) ? subject.head.map(axis) : nil
                let fits = head.map { $0.count <= attention.count } ?? false
                return .init(
                    span: axis(subject.box),
                    weight: subject.weight,
                    head: fits ? head : nil,
                    headWeight: fits ? subject.headWeight : 0
                )
            },
            length: attention.count,
            allowed: allowed.lowerBound...(allowed.upperBound - attention.count),
            attention: attention.lowerBound,
            constants: constants
        )
    }
}
