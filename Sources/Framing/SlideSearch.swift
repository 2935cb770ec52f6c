/// The exact search for the best position of a crop that can slide along one axis only.
///
/// The widest crop of a shape spans the image on one axis, so everything it can do is slide along the other one. There
/// every person is an interval, and how many are kept changes only where the crop begins or ends at an edge of such an
/// interval. Those positions are few, so all are tried: the answer is the best one, not a guess.
struct SlideSearch {
    /// What a crop may keep of one person, as intervals on the axis of sliding.
    struct Person {
        var face: Range<Int>
        var head: Range<Int>
        var paddedHead: Range<Int>
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
        static let face = 10
        /// What the rest of a whole head is worth.
        static let head = 9

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
    var lastStart: Int { imageLength - cropLength }

    func score(at start: Int) -> Score {
        let crop = start..<(start + cropLength)
        var score = Score()
        for person in people {
            if crop.holds(person.head) {
                score.value += Score.head * person.reliability
                score.area += person.area
            }
            if crop.holds(person.face) {
                score.value += Score.face * person.reliability
            }
            if crop.holds(person.paddedHead) { score.paddedHeads += 1 }
        }
        return score
    }

    /// A start of the best score; of equals the first.
    func bestStart() -> Int {
        var bestStart = 0
        var bestScore = score(at: 0)
        for start in candidates where start != 0 {
            let candidate = score(at: start)
            if candidate > bestScore {
                bestScore = candidate
                bestStart = start
            }
        }
        return bestStart
    }

    /// The starts at which a face, head or padded head begins or ends at the crop's edge; in order, so that of two equals
    /// the same one always wins.
    private var candidates: [Int] {
        var starts: Set<Int> = [0, lastStart]
        for person in people {
            for interval in [person.face, person.head, person.paddedHead] {
                starts.insert(clamped(interval.lowerBound))
                starts.insert(clamped(interval.upperBound - cropLength))
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
