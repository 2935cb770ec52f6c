import Geometry

/// Prefix sums of the weights along an axis, so that the weight of any interval is a difference of two sums.
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

    /// Whether all weights are 0.
    var isEmpty: Bool { sums[weights.count] == 0 }

    /// The share of the total weight in an interval, 0…1.
    func share(_ part: Range<Int>) -> Double {
        let all = Double(max(1, sums[weights.count])) * Double(imageLength)
        return Double(weight(before: part.upperBound) - weight(before: part.lowerBound)) / all
    }

    /// The weight before a pixel, times the axis length; an integer, because a weight is uniform in its section.
    private func weight(before pixel: Int) -> Int {
        let position = pixel * weights.count
        let index = position / imageLength
        guard index < weights.count else { return sums[weights.count] * imageLength }
        return sums[index] * imageLength + weights[index] * (position - index * imageLength)
    }
}
