/// Weights along a line of pixels, summed once from its beginning, so that what any part holds is the difference of two
/// sums.
struct LineWeights {
    private let imageLength: Int
    private let weights: [Int]
    /// What lies before each of the weights, and after the last.
    private let sums: [Int]

    /// Weights of as many equal stretches of a line of `imageLength` pixels as there are.
    init(_ weights: [Int], imageLength: Int) {
        self.weights = weights
        self.imageLength = imageLength
        var sums = [0]
        sums.reserveCapacity(weights.count + 1)
        for weight in weights { sums.append(sums[sums.count - 1] + weight) }
        self.sums = sums
    }

    /// Whether there is no weight anywhere.
    var isEmpty: Bool { sums[weights.count] == 0 }

    /// The share of all weight that a part of the line holds, 0…1.
    func share(_ part: Range<Int>) -> Double {
        let all = Double(max(1, sums[weights.count])) * Double(imageLength)
        return Double(weight(before: part.upperBound) - weight(before: part.lowerBound)) / all
    }

    /// The weight before a pixel, times the line's length: a whole number, as a weight spreads evenly over its stretch.
    private func weight(before pixel: Int) -> Int {
        let position = pixel * weights.count
        let index = position / imageLength
        guard index < weights.count else { return sums[weights.count] * imageLength }
        return sums[index] * imageLength + weights[index] * (position - index * imageLength)
    }
}
