import Geometry

/// Exact search for the interval of an axis that contains the most attention and whose edges cut the least of it.
///
/// Every whole-pixel start is tried.
package struct AttentionSearch {
    /// The prior of a position and the penalties of a cut, as shares of the total weight.
    package struct Prior: Sendable {
        /// The preferred centre of the interval, as a share of the axis.
        package let aim: Double
        /// The penalty of a centre that is the whole axis away from ``aim``.
        package let pull: Double
        /// The penalty of a first edge that cuts through all the weight.
        package let cutFirst: Double
        /// The penalty of a last edge that cuts through all the weight.
        package let cutLast: Double
        /// If the best interval has less than this many times the detail of the preferred one, the position is
        /// unchanged.
        ///
        /// A subject that is neither skin nor high up is visible by its detail. Fitted so that no picture of people
        /// gets worse.
        package let mostDetailLost: Double

        /// Across: prefers the middle; both edges cut people.
        package static func across(expecting expected: ExpectedSubject) -> Prior {
            Prior(aim: 0.5, pull: 0.3, cutFirst: 1, cutLast: 1, mostDetailLost: mostDetailLost(expected))
        }

        /// Down: prefers the top for people and the middle for things; the upper edge cuts heads, the lower one legs.
        package static func down(expecting expected: ExpectedSubject) -> Prior {
            let (aim, pull) =
                switch expected {
                case .people: (0.0, 0.6)
                case .things: (0.48, 1.0)
                }
            return Prior(aim: aim, pull: pull, cutFirst: 1, cutLast: 0.4, mostDetailLost: mostDetailLost(expected))
        }

        private static func mostDetailLost(_ expected: ExpectedSubject) -> Double {
            switch expected {
            case .people: 1.5
            case .things: 1.2
            }
        }
    }

    /// The distance before and after an edge within which it cuts, as a share of the axis.
    private static let edgeReach = 0.02

    private let imageLength: Int
    private let prior: Prior
    private let weights: LineWeights
    private let detail: LineWeights

    /// A search on an axis of `imageLength` pixels.
    ///
    /// - Parameters:
    ///   - weights: Attention in equal sections of the axis.
    ///   - detail: All detail in equal sections of the axis.
    ///   - imageLength: The length of the axis in pixels.
    ///   - prior: The prior and the penalties.
    package init(_ weights: [Int], detail: [Int], imageLength: Int, prior: Prior) {
        self.weights = LineWeights(weights, imageLength: imageLength)
        self.detail = LineWeights(detail, imageLength: imageLength)
        self.imageLength = imageLength
        self.prior = prior
    }

    /// The best start of an interval of `length` pixels, the first of equals; the preferred one if it has much more
    /// detail.
    package func best(length: Int, startingIn starts: ClosedRange<Int>) -> Int {
        var best = starts.lowerBound
        var bestScore = -Double.infinity
        for start in starts {
            let score = score(start: start, length: length, startingIn: starts)
            if score > bestScore { (best, bestScore) = (start, score) }
        }
        let middle = starts.lowerBound + (starts.count - 1) / 2
        let inMiddle = detail.share(middle..<(middle + length))
        return inMiddle > prior.mostDetailLost * detail.share(best..<(best + length)) ? middle : best
    }

    /// The share of the total weight in the interval, minus the penalties of its position and its cuts.
    package func score(start: Int, length: Int, startingIn starts: ClosedRange<Int>) -> Double {
        let aimed = prior.aim * Double(imageLength) - Double(length) / 2
        let preferred = min(max(aimed, Double(starts.lowerBound)), Double(starts.upperBound))
        return weights.share(start..<(start + length))
            - prior.pull * abs(Double(start) - preferred) / Double(imageLength)
            - prior.cutFirst * cut(at: start)
            - prior.cutLast * cut(at: start + length)
    }

    /// The weight around an edge above the average; 0 at the edge of the image, and for uniform weights.
    private func cut(at edge: Int) -> Double {
        guard edge > 0, edge < imageLength, !weights.isEmpty else { return 0 }
        let reach = max(1, Int((Double(imageLength) * Self.edgeReach).rounded()))
        let part = max(0, edge - reach)..<min(imageLength, edge + reach)
        return weights.share(part) - Double(part.count) / Double(imageLength)
    }
}
