import Geometry

/// Exact search for the best position of a crop that slides along one axis.
///
/// The widest crop of an aspect ratio spans the image on one axis, so it can only slide along the other axis. On this
/// axis every person is an interval. The value of a crop is a piecewise linear function. It bends only where the crop's
/// edges meet the edges of an interval, or the limits of the tolerance around these edges. There are only a few of
/// these positions, so the search tries all of them, and the result is optimal.
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
        /// The weight of the subject's face if the crop halves it.
        var halvedWeight = 0.0
        /// The area of the head, which decides between crops that keep the same number of heads.
        var area: Int
    }

    /// The image's side along the axis, in pixels.
    let imageLength: Int
    /// The crop's side along the axis; at most the image's side.
    let cropLength: Int
    let subjects: [Projection]
    var constants = PeopleConstants.chosen

    /// The maximum start of a crop inside the image.
    private var lastStart: Int { imageLength - cropLength }

    /// Returns the interval that a crop must contain to have the same score as the crops at `starts`; nil for none.
    ///
    /// The image's edges impose no requirement, because a crop is moved away from them in any case.
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

    /// Returns the start positions with the best score, as intervals in ascending order; at least one.
    ///
    /// There are several intervals if all positions between them halve a face, or by coincidence.
    func bestStarts() -> [ClosedRange<Int>] {
        let candidates = candidates
        let scores = candidates.map(score)
        let best = scores.max()
        // A linear function with equal values at both ends is constant between them.
        return scores.indices.split { scores[$0] != best }.map { indices in
            candidates[indices.startIndex]...candidates[indices.endIndex - 1]
        }
    }

    private func score(at start: Int) -> CropScore {
        let crop = start..<(start + cropLength)
        var score = CropScore()
        var value = 0.0
        for subject in subjects {
            let worth =
                constants.face * share(of: subject.face, tolerance: subject.tolerance, at: start)
                + constants.head * share(of: subject.head, tolerance: subject.tolerance, at: start)
            value += worth * subject.weight
            if subject.halvedWeight > 0 {
                value -= constants.halved * subject.halvedWeight * halving(of: subject.face, at: start)
            }
            if crop.holds(subject.head) { score.area += subject.area }
            if crop.holds(subject.paddedHead) { score.paddedHeads += 1 }
        }
        score.value = Int((value / CropScore.grain).rounded())
        return score
    }

    /// Returns the probability that the crop at `start` keeps `interval`, 0 to 1.
    ///
    /// The true edge is uniformly distributed within the tolerance. At the edge of the image, nothing can be cut off.
    private func share(of interval: Range<Int>, tolerance: Int, at start: Int) -> Double {
        let before = start == 0 ? tolerance : interval.lowerBound - start
        let after = start == lastStart ? tolerance : start + cropLength - interval.upperBound
        let steps = 2 * tolerance + 1
        return Double(min(max(min(before, after) + tolerance + 1, 0), steps)) / Double(steps)
    }

    /// Returns how fully the crop at `start` halves a face, 0 to 1.
    ///
    /// It is 0 if the crop shows or hides at most a sliver of the face. A face that is longer than the crop is always
    /// halved, so it does not count.
    private func halving(of face: Range<Int>, at start: Int) -> Double {
        guard face.count <= cropLength else { return 0 }
        let shown = max(0, min(face.upperBound, start + cropLength) - max(face.lowerBound, start))
        let (sliver, slope) = sliver(of: face)
        let beyond = min(shown, face.count - shown) - sliver
        return Double(min(max(beyond, 0), slope)) / Double(slope)
    }

    /// Returns the part of a face that may be shown or hidden without halving it, and the further pixels that halve it
    /// fully.
    private func sliver(of face: Range<Int>) -> (length: Int, slope: Int) {
        let length = Double(face.count)
        return (
            Int((constants.sliver * length).rounded()), max(1, Int((constants.sliverSlope * length).rounded()))
        )
    }

    /// The starts where the score bends, or where a face or head becomes whole or is no longer whole.
    ///
    /// They are sorted, so that ties are always resolved the same way.
    private var candidates: [Int] {
        // These are positions next to the image's edges, where the function does not bend.
        var starts: Set<Int> = [0, clamped(1), clamped(lastStart - 1), lastStart]
        for subject in subjects {
            for (interval, tolerance) in [
                (subject.face, subject.tolerance), (subject.head, subject.tolerance), (subject.paddedHead, 0),
            ] {
                let first = interval.lowerBound
                let last = interval.upperBound - cropLength
                // The last two are the positions with equal distances from the interval to both ends of the crop.
                for start in [
                    first - tolerance, first, first + 1, first + tolerance + 1,
                    last - tolerance - 1, last - 1, last, last + tolerance,
                    (first + last) >> 1, (first + last + 1) >> 1,
                ] {
                    starts.insert(clamped(start))
                }
            }
            guard subject.halvedWeight > 0 else { continue }
            let (sliver, slope) = sliver(of: subject.face)
            for part in [0, sliver, sliver + slope] {
                for edge in [subject.face.lowerBound + part, subject.face.upperBound - part] {
                    starts.insert(clamped(edge))
                    starts.insert(clamped(edge - cropLength))
                }
            }
        }
        return starts.sorted()
    }

    private func clamped(_ start: Int) -> Int { min(max(start, 0), lastStart) }
}

/// The value of a position, compared in the order of the fields.
struct CropScore: Comparable {
    /// The unit of values.
    ///
    /// Values that differ by less than half a unit count as equal, because sums of fractions are rounded.
    static let grain = 1e-6

    /// In units of ``grain``.
    var value = 0
    var area = 0
    var paddedHeads = 0

    static func < (left: CropScore, right: CropScore) -> Bool {
        (left.value, left.area, left.paddedHeads) < (right.value, right.area, right.paddedHeads)
    }
}
