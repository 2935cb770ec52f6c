/// The boxes of a file: 32 bits of size, four letters, content (ISO/IEC 14496-12, 4.2).
struct Boxes {
    let bytes: [UInt8]

    /// Returns a big-endian number at the start of a range; nil if the range is shorter.
    ///
    /// In a number of 8 bytes, the first byte is ignored so that sums do not overflow.
    func number(in range: Range<Int>, bytes count: Int) -> Int? {
        guard range.count >= count else { return nil }
        var value = 0
        for index in range.lowerBound..<range.lowerBound + count { value = value << 8 | Int(bytes[index]) }
        return value & (1 << 56 - 1)
    }

    /// Returns the consecutive boxes in a range; the list ends before a box that is invalid or longer than the range.
    func list(in range: Range<Int>) -> BoxList { BoxList(boxes: self, rest: range) }

    /// Returns the content of the first box of a type in a range; nil if there is none.
    func first(_ type: BoxType, in range: Range<Int>) -> Range<Int>? {
        for box in list(in: range) where box.type == type { return box.content }
        return nil
    }
}

/// Consecutive boxes; each has at least 8 bytes.
struct BoxList: Sequence, IteratorProtocol {
    fileprivate let boxes: Boxes
    fileprivate var rest: Range<Int>

    mutating func next() -> (type: BoxType, content: Range<Int>)? {
        guard var size = boxes.number(in: rest, bytes: 4), rest.count >= 8 else { return nil }
        var header = 8
        // 1: a size of 64 bits follows; 0: the box extends to the end.
        if size == 1, let long = boxes.number(in: rest.dropFirst(8), bytes: 8) { (size, header) = (long, 16) }
        if size == 0 { size = rest.count }
        guard size >= header, size <= rest.count, let code = boxes.number(in: rest.dropFirst(4), bytes: 4) else {
            return nil
        }
        let content = rest.lowerBound + header..<rest.lowerBound + size
        rest = content.upperBound..<rest.upperBound
        return (BoxType(code: code), content)
    }
}
