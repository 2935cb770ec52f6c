import Geometry

/// Exact search for the best position of a crop that slides along one axis.
///
/// The widest crop of a shape spans the image on one axis, so it can only slide along the other one. On that axis
/// every person is an interval, and the value of a crop is a piecewise linear function that bends only where its edges
/// meet the edges of an interval or of its tolerance. There are few such positions, so all are tried, and the result
/// is the optimum.
struct SlideSearch {
    /// One subject as intervals on the sliding axis.
    struct Projection {
        var face: Range<Int>
        var head: Range<Int>
        var paddedHead: Range<Int>
        /// The uncertainty of the edges of face and head, in pixels.
        var tolerance = 0
        /// The weight of the subject.
        var weight: Double
        /// Breaks ties between crops that keep equally many: the head's area.
        var area: Int
    }

    /// The image's side along the axis, in pixels.
    let imageLength: Int
    /// The crop's side along the axis; no longer than the image's.
    let cropLength: Int
    let subjects: [Projection]

    /// The largest start at which the crop lies inside the image.
    private var lastStart: Int { imageLength - cropLength }

    /// The interval that a crop must contain to be as good as the equal crops at `starts`; nil if there is none.
    ///
    /// The image's edges impose no requirement: a crop is moved away from them in any case.
    func held(by starts: ClosedRange<Int>) -> Range<Int>? {
        let first = starts.lowerBound > 0 ? starts.lowerBound + cropLength : nil
        let last = starts.upperBound < lastStart ? starts.upperBound : nil
        return switch (last, first) {
        case (let last?, let first?): last < first ? last..<first : starts.lowerBound..<first
        case (let last?, nil): last..<(last + 1)
        case (nil, let first?): (first - 1)..<first
        case (nil, nil): nil
        }
    }

    /// The first start of the best score, and the adjacent starts with the same score.
    func bestStarts() -> ClosedRange<Int> {
        let candidates = candidates
        let scores = candidates.map(score)
        guard let best = scores.max(), let first = scores.firstIndex(of: best) else { return 0...0 }
        // A linear function that is equal at both ends is constant between them.
        let last = scores[first...].prefix { $0 == best }.endIndex - 1
        return candidates[first]...candidates[last]
    }

    private func score(at start: Int) -> CropScore {
        let crop = start..<(start + cropLength)
        var score = CropScore()
        var value = 0.0
        for subject in subjects {
            let worth =
                CropScore.face * share(of: subject.face, tolerance: subject.tolerance, at: start)
                + CropScore.head * share(of: subject.head, tolerance: subject.tolerance, at: start)
            value += worth * subject.weight
            if crop.holds(subject.head) { score.area += subject.area }
            if crop.holds(subject.paddedHead) { score.paddedHeads += 1 }
        }
        score.value = Int((value / CropScore.grain).rounded())
        return score
    }

    /// The probability that the crop at `start` keeps `interval`, 0 to 1.
    ///
    /// The true edge is uniformly distributed within the tolerance. At the edge of the image nothing can be cut off.
    private func share(of interval: Range<Int>, tolerance: Int, at start: Int) -> Double {
        let before = start == 0 ? tolerance : interval.lowerBound - start
        let after = start == lastStart ? tolerance : start + cropLength - interval.upperBound
        let steps = 2 * tolerance + 1
        return Double(min(max(min(before, after) + tolerance + 1, 0), steps)) / Double(steps)
    }

    /// The starts at which a score bends, or something begins or ceases to be whole; sorted, so that ties are resolved
    /// the same way.
    private var candidates: [Int] {
        // Positions next to the image's edges, where no line bends.
        var starts: Set<Int> = [0, clamped(1), clamped(lastStart - 1), lastStart]
        for subject in subjects {
            for (interval, tolerance) in [
                (subject.face, subject.tolerance), (subject.head, subject.tolerance), (subject.paddedHead, 0),
            ] {
                let first = interval.lowerBound
                let last = interval.upperBound - cropLength
                // The last two are where the interval is equally far from both ends of the crop.
                for start in [
                    first - tolerance, first, first + 1, first + tolerance + 1,
                    last - tolerance - 1, last - 1, last, last + tolerance,
                    (first + last) >> 1, (first + last + 1) >> 1,
                ] {
                    starts.insert(clamped(start))
                }
            }
        }
        return starts.sorted()
    }

    private func clamped(_ start: Int) -> Int { min(max(start, 0), lastStart) }
}

extension Range<Int> {
    /// Whether this range contains all of `other`.
    func holds(_ other: Range<Int>) -> Bool {
        other.lowerBound >= lowerBound && other.upperBound <= upperBound
    }
}

/// The value of a position, compared in the order of the fields.
package struct CropScore: Comparable {
    /// The value of a whole face; a whole head is worth ``head`` more.
    ///
    /// The two are nearly equal: with equal weights, the search maximises the number of faces and heads together,
    /// and keeps a face without its hair rather than none.
    package static let face = 10.0
    /// The additional value of a whole head.
    package static let head = 9.0
    /// Values that differ by less than half of this are equal, because sums of fractions are rounded.
    static let grain = 1e-6

    /// In units of ``grain``.
    var value = 0
    var area = 0
    var paddedHeads = 0

    package static func < (left: CropScore, right: CropScore) -> Bool {
        (left.value, left.area, left.paddedHeads) < (right.value, right.area, right.paddedHeads)
    }
}
