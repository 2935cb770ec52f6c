import Geometry
import TotalFunctions

/// One axis of a crop around people: the required interval, and the preferred position.
struct AxisPlacement {
    /// The preferred position of the people, in pixels of the image along the axis.
    enum Aim {
        /// The position of the crop's centre.
        case middle(Double)
        /// The start of the crop; it may be later so that the crop's centre is not before `middle`.
        case first(Double, middle: Double)
        /// The end of the crop; it may be earlier so that the crop's centre is not after `middle`.
        case last(Double, middle: Double)
        /// The position of the first of the two lines that divide the crop into thirds.
        case third(Double)
        /// A fraction of the crop's length, 0…1, lies before `at`.
        case share(Double, at: Double)

        /// Returns the aim that puts the centre of the crop at the centre of an interval.
        static func middle(on interval: Range<Int>) -> Aim {
            .middle(Double(interval.lowerBound + interval.upperBound) / 2)
        }
    }

    /// The image's side along the axis.
    let imageLength: Int
    /// The interval that the crop must contain, inside the image and not longer than any crop; nil for none.
    var held: Range<Int>?
    let aim: Aim

    /// Returns the start of a crop of the given length before it is clamped to the image.
    ///
    /// A shorter crop starts later and ends earlier, even after clamping, so that it lies inside a longer crop, except
    /// for one pixel.
    func unclampedStart(length: Int) -> Int {
        let start = Int(clamping: wantedStart(length: Double(length)).rounded())
        guard let held else { return start }
        return min(max(start, held.upperBound - length), held.lowerBound)
    }

    /// The maximum length of a crop that can start at its preferred position inside the image.
    var longest: Int {
        let end = Double(imageLength)
        let length =
            switch aim {
            case .middle(let middle): 2 * min(middle, end - middle)
            case .first(let first, let middle): min(end - first, 2 * (end - middle))
            case .last(let last, let middle): min(last, 2 * middle)
            case .third(let line): min(3 * line, 1.5 * (end - line))
            case .share(let share, let place):
                min(share > 0 ? place / share : end, share < 1 ? (end - place) / (1 - share) : end)
            }
        return Int(clamping: min(max(length, 0), end))
    }

    private func wantedStart(length: Double) -> Double {
        switch aim {
        case .middle(let middle): middle - length / 2
        case .first(let first, let middle): max(first, middle - length / 2)
        case .last(let last, let middle): min(last, middle + length / 2) - length
        case .third(let line): line - length / 3
        case .share(let share, let place): place - length * share
        }
    }
}
