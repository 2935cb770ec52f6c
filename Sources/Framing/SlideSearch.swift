/// The exact search for the best position of a crop that can slide along one axis only.
///
/// The widest crop of a shape spans the image on one axis, so everything it can do is slide along the other one. There
/// every person is an interval, and what a crop is worth is a sum of straight lines, which bend only where its edges meet
/// the edges of an interval or of its tolerance. Those positions are few, so all are tried: the answer is the best one,
/// not a guess.
struct SlideSearch {
    /// What a crop may keep of one person, as intervals on the axis of sliding.
    struct Person {
        var face: Range<Int>
        var head: Range<Int>
        var paddedHead: Range<Int>
        /// How many pixels the true face may reach further than `face`, or less far.
        var faceTolerance = 0
        /// The same for `head`.
        var headTolerance = 0
        /// How much the person counts.
        var reliability: Int
        /// Breaks ties between crops that keep equally many: the head's area.
        var area: Int
    }

    /// How good a position is, compared in the order of the fields.
    struct Score: Comparable {
        /// What a whole face is worth, in units in which a whole head is worth ``head`` more.
        ///
        /// Nearly the same: with everybody equally sure, this keeps the most faces and heads together, and a face without
        /// its hair rather than nobody.
        static let face = 10.0
        /// What the rest of a whole head is worth.
        static let head = 9.0
        /// Worth that differs by less than half of this is the same: sums of fractions round.
        static let grain = 1e-6

        /// In ``grain``.
        var value = 0
        var area = 0
        var paddedHeads = 0

        static func < (left: Score, right: Score) -> Bool {
            (left.value, left.area, left.paddedHeads) < (right.value, right.area, right.paddedHeads)
        }
    }

    /// The image's side along the axis, in pixels.
    let imageLength: Int
    /// The crop's side along the axis; no longer than the image's.
    let cropLength: Int
    let people: [Person]

    /// The highest start of the crop that stays in the image.
    private var lastStart: Int { imageLength - cropLength }

    /// What a crop must hold to be as good as the crops at `starts`, which are equals; nil when it cannot be worse.
    ///
    /// The image's ends are no reason: it is moved away from them anyway.
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

    /// The first start of the best score, and those next to it that are as good.
    func bestStarts() -> ClosedRange<Int> {
        let candidates = candidates
        let scores = candidates.map(score)
        guard let best = scores.max(), let first = scores.firstIndex(of: best) else { return 0...0 }
        // What is equal at both ends of a straight line is equal all along it.
        let last = scores[first...].prefix { $0 == best }.endIndex - 1
        return candidates[first]...candidates[last]
    }

    private func score(at start: Int) -> Score {
        let crop = start..<(start + cropLength)
        var score = Score()
        var value = 0.0
        for person in people {
            let worth =
                Score.face * share(of: person.face, tolerance: person.faceTolerance, at: start)
                + Score.head * share(of: person.head, tolerance: person.headTolerance, at: start)
            value += worth * Double(person.reliability)
            if crop.holds(person.head) { score.area += person.area }
            if crop.holds(person.paddedHead) { score.paddedHeads += 1 }
        }
        score.value = Int((value / Score.grain).rounded())
        return score
    }

    /// How likely the crop at `start` keeps what `interval` stands for, 0 to 1.
    ///
    /// The true edge is taken to lie anywhere within the tolerance with the same likelihood. At the end of the image there
    /// is nothing to be cut off.
    private func share(of interval: Range<Int>, tolerance: Int, at start: Int) -> Double {
        let before = start == 0 ? tolerance : interval.lowerBound - start
        let after = start == lastStart ? tolerance : start + cropLength - interval.upperBound
        let steps = 2 * tolerance + 1
        return Double(min(max(min(before, after) + tolerance + 1, 0), steps)) / Double(steps)
    }

    /// The starts at which a share begins to change or ceases to, or something begins or ceases to be whole; in order, so
    /// that of two equals the same one always wins.
    private var candidates: [Int] {
        // Next to the image's ends lies what no line leads to.
        var starts: Set<Int> = [0, clamped(1), clamped(lastStart - 1), lastStart]
        for person in people {
            for (interval, tolerance) in [
                (person.face, person.faceTolerance), (person.head, person.headTolerance), (person.paddedHead, 0),
            ] {
                let first = interval.lowerBound
                let last = interval.upperBound - cropLength
                for start in [first - tolerance, first, first + 1, first + tolerance + 1] {
                    starts.insert(clamped(start))
                }
                for start in [last - tolerance - 1, last - 1, last, last + tolerance] {
                    starts.insert(clamped(start))
                }
                // Where the interval is as far from one end of the crop as from the other.
                starts.insert(clamped((first + last) >> 1))
                starts.insert(clamped((first + last + 1) >> 1))
            }
        }
        return starts.sorted()
    }

    private func clamped(_ start: Int) -> Int { min(max(start, 0), lastStart) }
}

extension Range<Int> {
    /// Whether all of `other` lies in this range.
    func holds(_ other: Range<Int>) -> Bool {
        other.lowerBound >= lowerBound && other.upperBound <= upperBound
    }
}
