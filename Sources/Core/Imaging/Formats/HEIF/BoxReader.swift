/// Numbers that follow each other in a range.
struct BoxReader {
    private let boxes: Boxes
    private(set) var rest: Range<Int>

    init(_ boxes: Boxes, _ range: Range<Int>) {
        self.boxes = boxes
        rest = range
    }

    /// The next number, or 0 without reading if `count` is 0; nil at the end.
    mutating func next(_ count: Int) -> Int? {
        guard let value = boxes.number(in: rest, bytes: count) else { return nil }
        rest = rest.lowerBound + count..<rest.upperBound
        return value
    }
}
