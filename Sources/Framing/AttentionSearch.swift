/// The exact search for the part of a line that holds the most of what there is to look at and cuts the least of it.
///
/// Every whole pixel at which the part can start is tried.
package struct AttentionSearch {
    /// What else counts than what is held, in shares of all the weight there is.
    package struct Habit: Sendable {
        /// Where the middle of the part should be, as a share of the line.
        package let aim: Double
        /// What a distance of the whole line from there takes off.
        package let pull: Double
        /// What cutting through all the weight with the beginning of the part takes off.
        package let cutFirst: Double
        /// The same for its end.
        package let cutLast: Double
        /// How many times the detail of the part that scores best lets the middle keep its place.
        ///
        /// A subject that is neither skin nor high up shows by its detail. Fitted so that no picture of people loses by it.
        package let mostDetailLost: Double

        /// Sideways: rather in the middle, and both edges cut people.
        package static func across(expecting expected: ExpectedSubject) -> Habit {
            Habit(aim: 0.5, pull: 0.3, cutFirst: 1, cutLast: 1, mostDetailLost: mostDetailLost(expected))
        }

        /// Downwards: people rather at the top, things near the middle; the upper edge cuts heads, and the lower one
        /// legs.
        package static func down(expecting expected: ExpectedSubject) -> Habit {
            let (aim, pull) =
                switch expected {
                case .people: (0.0, 0.6)
                case .things: (0.48, 1.0)
                }
            return Habit(aim: aim, pull: pull, cutFirst: 1, cutLast: 0.4, mostDetailLost: mostDetailLost(expected))
        }

        private static func mostDetailLost(_ expected: ExpectedSubject) -> Double {
            switch expected {
            case .people: 1.5
            case .things: 1.2
            }
        }
    }

    /// An edge cuts what lies this share of the line before and after it.
    private static let edgeReach = 0.02

    private let imageLength: Int
    private let habit: Habit
    private let weights: LineWeights
    private let detail: LineWeights

    /// A search on a line of `imageLength` pixels.
    ///
    /// - Parameters:
    ///   - weights: What draws the eye, in as many equal stretches of the line as there are.
    ///   - detail: What there is to see, whether it draws the eye or not.
    ///   - imageLength: The line's length in pixels.
    ///   - habit: What else counts.
    package init(_ weights: [Int], detail: [Int], imageLength: Int, habit: Habit) {
        self.weights = LineWeights(weights, imageLength: imageLength)
        self.detail = LineWeights(detail, imageLength: imageLength)
        self.imageLength = imageLength
        self.habit = habit
    }

    /// The best start of a part of `length` pixels, of equals the first; the middle one where that has much more detail.
    package func best(length: Int, startingIn starts: ClosedRange<Int>) -> Int {
        var best = starts.lowerBound
        var bestScore = -Double.infinity
        for start in starts {
            let score = score(start: start, length: length, startingIn: starts)
            if score > bestScore { (best, bestScore) = (start, score) }
        }
        let middle = starts.lowerBound + (starts.count - 1) / 2
        let inMiddle = detail.share(middle..<(middle + length))
        return inMiddle > habit.mostDetailLost * detail.share(best..<(best + length)) ? middle : best
    }

    /// The share of all weight that the part holds, less what its place and its cuts take off.
    package func score(start: Int, length: Int, startingIn starts: ClosedRange<Int>) -> Double {
        let aimed = habit.aim * Double(imageLength) - Double(length) / 2
        let preferred = min(max(aimed, Double(starts.lowerBound)), Double(starts.upperBound))
        return weights.share(start..<(start + length))
            - habit.pull * abs(Double(start) - preferred) / Double(imageLength)
            - habit.cutFirst * cut(at: start)
            - habit.cutLast * cut(at: start + length)
    }

    /// How much more weight lies about an edge than about any; nothing at the edge of the image, which cuts no more than
    /// is cut already, and so nowhere in what is the same everywhere.
    private func cut(at edge: Int) -> Double {
        guard edge > 0, edge < imageLength, !weights.isEmpty else { return 0 }
        let reach = max(1, Int((Double(imageLength) * Self.edgeReach).rounded()))
        let part = max(0, edge - reach)..<min(imageLength, edge + reach)
        return weights.share(part) - Double(part.count) / Double(imageLength)
    }
}
