/// Reads consecutive numbers in a range.
struct BoxReader {
    private let boxes: Boxes
    private(set) var rest: Range<Int>

    init(_ boxes: Boxes, _ range: Range<Int>) {
        self.boxes = boxes
        rest = range
    }

    /// Returns the next number of `count` bytes; nil at the end.
    ///
    /// If `count` is 0, returns 0 and reads nothing.
    mutating func next(_ count: Int) -> Int? {
        guard let value = boxes.number(in: rest, bytes: count) else { return nil }
        rest = rest.lowerBound + count..<rest.upperBound
        return value
    }
}
