/// The exact search for the part of a line that holds the most of what there is to look at and cuts the least of it.
///
/// Weights are summed once from the beginning of the line, so that what any part holds is the difference of two sums, and
/// every whole pixel at which the part can start is tried.
package struct AttentionSearch {
    /// What else counts than what is held, in shares of all the weight there is.
    package struct Habit: Sendable {
        /// The preferred start: 0 the first that is allowed, 1 the last.
        package let place: Double
        /// What a distance of the whole line from there takes off.
        package let pull: Double
        /// What cutting through all the weight with the beginning of the part takes off.
        package let cutFirst: Double
        /// The same for its end.
        package let cutLast: Double

        /// Sideways: rather in the middle, and both edges cut people.
        package static let across = Habit(place: 0.5, pull: 0.3, cutFirst: 1, cutLast: 1)
        /// Downwards: rather at the top, for the upper edge cuts heads, and the lower one legs.
        package static let down = Habit(place: 0, pull: 0.3, cutFirst: 1, cutLast: 0.4)
    }

    /// An edge cuts what lies this share of the line before and after it.
    private static let edgeReach = 0.02

    private let imageLength: Int
    private let habit: Habit
    private let weights: [Int]
    /// What lies before each of the weights, and after the last.
    private let sums: [Int]

    /// A search on a line of `imageLength` pixels that is divided into as many equal stretches as there are `weights`.
    package init(_ weights: [Int], imageLength: Int, habit: Habit) {
        self.weights = weights
        self.imageLength = imageLength
        self.habit = habit
        var sums = [0]
        sums.reserveCapacity(weights.count + 1)
        for weight in weights { sums.append(sums[sums.count - 1] + weight) }
        self.sums = sums
    }

    /// The best start of a part of `length` pixels; of equals the first.
    package func best(length: Int, startingIn starts: ClosedRange<Int>) -> Int {
        var best = starts.lowerBound
        var bestScore = -Double.infinity
        for start in starts {
            let score = score(start: start, length: length, startingIn: starts)
            if score > bestScore { (best, bestScore) = (start, score) }
        }
        return best
    }

    /// The share of all weight that the part holds, less what its place and its cuts take off.
    package func score(start: Int, length: Int, startingIn starts: ClosedRange<Int>) -> Double {
        let preferred = Double(starts.lowerBound) + habit.place * Double(starts.count - 1)
        return share(start..<(start + length))
            - habit.pull * abs(Double(start) - preferred) / Double(imageLength)
            - habit.cutFirst * cut(at: start)
            - habit.cutLast * cut(at: start + length)
    }

    /// How much more weight lies about an edge than about any; nothing at the edge of the image, which cuts no more than
    /// is cut already, and so nowhere in what is the same everywhere.
    private func cut(at edge: Int) -> Double {
        guard edge > 0, edge < imageLength, sums[weights.count] > 0 else { return 0 }
        let reach = max(1, Int((Double(imageLength) * Self.edgeReach).rounded()))
        let part = max(0, edge - reach)..<min(imageLength, edge + reach)
        return share(part) - Double(part.count) / Double(imageLength)
    }

    private func share(_ part: Range<Int>) -> Double {
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
