import Geometry

/// Exact search for the interval of an axis with maximum attention inside and minimum attention at its edges.
///
/// The search tries every start in whole pixels.
package struct AttentionSearch {
    /// A direction in which a crop can slide.
    package enum Axis: Hashable, Sendable, CaseIterable {
        /// Both edges cut people.
        case across
        /// Only the upper edge counts, because it cuts heads and the lower edge cuts bodies.
        ///
        /// If both edges counted, the metric heads would decrease by 0.010.
        case down
    }

    private let axis: Axis
    private let imageLength: Int
    private let weights: LineWeights
    private let detail: LineWeights
    /// The distance on each side of an edge within which attention counts as cut, in pixels.
    private let edgeReach: Int

    /// Creates a search on an axis of `imageLength` pixels.
    ///
    /// - Parameters:
    ///   - weights: Attention in equal sections of the axis.
    ///   - detail: All detail in equal sections of the axis.
    ///   - imageLength: The length of the axis in pixels.
    ///   - axis: The direction of the axis.
    package init(_ weights: [Int], detail: [Int] = [0], imageLength: Int, axis: Axis) {
        self.weights = LineWeights(weights, imageLength: imageLength)
        self.detail = LineWeights(detail, imageLength: imageLength)
        self.imageLength = imageLength
        self.axis = axis
        edgeReach = max(1, Int((Double(imageLength) * AttentionConstants.edgeReach).rounded()))
    }

    /// Returns the best start of an interval of `length` pixels; of equal starts, the nearest to the middle of
    /// `starts`.
    ///
    /// The middle is used if it has much more detail than the best interval. The best interval may be wrong, because
    /// brown blur, fur and wood look like skin, and a subject that is not a person may be lower in the image. But the
    /// subject is rarely the least detailed part of an image.
    package func best(length: Int, startingIn starts: ClosedRange<Int>) -> Int {
        let middle = starts.lowerBound + (starts.count - 1) / 2
        var best = middle
        var bestScore = score(start: middle, length: length)
        for start in starts {
            let score = score(start: start, length: length)
            if score > bestScore || score == bestScore && abs(start - middle) < abs(best - middle) {
                (best, bestScore) = (start, score)
            }
        }
        let middleDetail = detail[middle..<(middle + length)]
        return middleDetail > AttentionConstants.maxDetailLost * detail[best..<(best + length)] ? middle : best
    }

    /// Returns the weight in the interval minus the weight that its edges cut; the whole axis has ``totalWeight``.
    package func score(start: Int, length: Int) -> Int {
        let end = start + length
        return weights[start..<end] - cut(at: start) - (axis == .across ? cut(at: end) : 0)
    }

    /// The unit of ``score(start:length:)``.
    package var totalWeight: Int { weights.total }

    /// Returns the weight around an edge, minus the weight of an even distribution; 0 at the edge of the image.
    private func cut(at edge: Int) -> Int {
        guard edge > 0, edge < imageLength else { return 0 }
        let part = max(0, edge - edgeReach)..<min(imageLength, edge + edgeReach)
        return weights[part] - part.count * weights.mean
    }
}

/// Prefix sums of the weights along an axis, so that the weight of any interval is a difference of two sums.
///
/// Each weight is distributed uniformly over its section. All results are multiplied by the axis length, so that they
/// are integers.
private struct LineWeights {
    private let imageLength: Int
    private let weights: [Int]
    /// The sum before each weight, and after the last weight.
    private let sums: [Int]

    /// Creates the sums for the weights of equal sections of an axis of `imageLength` pixels.
    init(_ weights: [Int], imageLength: Int) {
        self.weights = weights
        self.imageLength = imageLength
        var sums = [0]
        sums.reserveCapacity(weights.count + 1)
        for weight in weights { sums.append(sums[sums.count - 1] + weight) }
        self.sums = sums
    }

    /// The weight of the whole axis.
    var total: Int { mean * imageLength }

    /// The mean weight of a pixel.
    var mean: Int { sums[weights.count] }

    /// Returns the weight of an interval of pixels.
    subscript(part: Range<Int>) -> Int { weight(before: part.upperBound) - weight(before: part.lowerBound) }

    private func weight(before pixel: Int) -> Int {
        let position = pixel * weights.count
        let index = position / imageLength
        guard index < weights.count else { return total }
        return sums[index] * imageLength + weights[index] * (position - index * imageLength)
    }
}

/// The position prior: the likelihood of a subject at each row and column of an image.
///
/// It has no constants.
struct PositionPrior {
    /// For each row, 0…1.
    let down: [Float]
    /// For each column, 0…1.
    let across: [Float]

    init(_ size: PixelSize, expecting expected: ExpectedSubject) {
        let rows = (0..<size.height).map { (Float($0) + 0.5) / Float(size.height) }
        let fromMiddle = { (count: Int) in (0..<count).map { abs((2 * Float($0) + 1) / Float(count) - 1) } }
        switch expected {
        case .people:
            // Heads are at the top, and people stand side by side: the parabola is flat in the middle.
            down = rows.map { 1 - $0 }
            across = fromMiddle(size.width).map { 1 - $0 * $0 }
        case .things:
            down = fromMiddle(size.height).map { 1 - $0 }
            across = fromMiddle(size.width).map { 1 - $0 }
        }
    }
}
