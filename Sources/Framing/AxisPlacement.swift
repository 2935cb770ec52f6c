/// One axis of a crop around people: what must be inside, and where they are to be.
struct AxisPlacement {
    /// Where the people are to be, in pixels of the image along the axis.
    enum Aim {
        /// The middle of the crop lies here.
        case middle(Double)
        /// The crop begins here, or further on if its middle would lie before `middle` otherwise.
        case first(Double, middle: Double)
        /// The crop ends here, or before if its middle would lie after `middle` otherwise.
        case last(Double, middle: Double)
        /// The first of the two lines that divide the crop into thirds lies here.
        case third(Double)

        /// The middle of the crop lies on that of an interval.
        static func middle(on interval: Range<Int>) -> Aim {
            .middle(Double(interval.lowerBound + interval.upperBound) / 2)
        }
    }

    /// The image's side along the axis.
    let imageLength: Int
    /// What the crop must hold, inside the image and no longer than any crop; nil when nothing fits into it.
    var held: Range<Int>?
    let aim: Aim

    /// The start of a crop of the given length if the image had no end: it may lie outside.
    ///
    /// The shorter the crop, the later it starts and the earlier it ends, and moving it into the image changes nothing of
    /// that: of two crops the shorter lies in the longer, to a pixel.
    func unclampedStart(length: Int) -> Int {
        let start = Int(wantedStart(length: Double(length)).rounded())
        guard let held else { return start }
        return min(max(start, held.upperBound - length), held.lowerBound)
    }

    /// The longest crop that the image lets start where it should.
    var longest: Int {
        let end = Double(imageLength)
        let length =
            switch aim {
            case .middle(let middle): 2 * min(middle, end - middle)
            case .first(let first, let middle): min(end - first, 2 * (end - middle))
            case .last(let last, let middle): min(last, 2 * middle)
            case .third(let line): min(3 * line, 1.5 * (end - line))
            }
        return Int(min(max(length, 0), end))
    }

    private func wantedStart(length: Double) -> Double {
        switch aim {
        case .middle(let middle): middle - length / 2
        case .first(let first, let middle): max(first, middle - length / 2)
        case .last(let last, let middle): min(last, middle + length / 2) - length
        case .third(let line): line - length / 3
        }
    }
}
