/// Numbers that follow each other in a range.
struct BoxReader {
    private let boxes: Boxes
    private(set) var rest: Range<Int>

    init(_ boxes: Boxes, _ range: Range<Int>) {
        self.boxes = boxes
        rest = range
    }

    /// The next number, which has no bytes for `count` 0; nil at the end.
    mutating func next(_ count: Int) -> Int? {
        guard let value = boxes.number(in: rest, bytes: count) else { return nil }
        rest = rest.lowerBound + count..<rest.upperBound
        return value
    }
}
