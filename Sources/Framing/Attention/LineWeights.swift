import Geometry

/// Prefix sums of the weights along an axis, so that the weight of any interval is a difference of two sums.
///
/// All results are multiplied by the axis length, which makes them integers: a weight is uniform in its section.
struct LineWeights {
    private let imageLength: Int
    private let weights: [Int]
    /// The sum before each weight, and after the last.
    private let sums: [Int]

    /// Weights of equal sections of an axis of `imageLength` pixels.
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

    /// The weight of an interval of pixels.
    subscript(part: Range<Int>) -> Int { weight(before: part.upperBound) - weight(before: part.lowerBound) }

    private func weight(before pixel: Int) -> Int {
        let position = pixel * weights.count
        let index = position / imageLength
        guard index < weights.count else { return total }
        return sums[index] * imageLength + weights[index] * (position - index * imageLength)
    }
}
