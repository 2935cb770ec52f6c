/// Reads the parts of a raw path between slashes, from left to right.
struct PathCursor {
    /// What has not been read, without a slash at its beginning.
    private(set) var rest: Substring

    /// A cursor at the beginning of a path, whose first slash is skipped.
    init(_ path: some StringProtocol) {
        rest = Substring(path)
        if rest.utf8.first == UInt8(ascii: "/") { rest = Substring(rest.utf8.dropFirst()) }
    }

    /// The next part; nil if it is the last one, which is the source.
    var next: Substring? {
        rest.utf8.firstIndex(of: UInt8(ascii: "/")).map { rest[..<$0] }
    }

    /// Reads the next part if it is accepted and another follows.
    mutating func take<Value>(_ accept: (Substring) -> Value?) -> Value? {
        guard let next, let value = accept(next) else { return nil }
        skip(next.utf8.count)
        return value
    }

    /// Reads the next part if it is this word and another follows.
    mutating func take(_ word: String) -> Bool { take { $0 == word ? true : nil } ?? false }

    /// Reads text up to `mark` and the bytes of `mark`; nil if there is none.
    mutating func take(until mark: String) -> Substring? {
        let (text, mark) = (rest.utf8, Array(mark.utf8))
        var index = text.startIndex
        while index < text.endIndex {
            if text[index...].starts(with: mark) {
                let found = rest[..<index]
                rest = rest[text.index(index, offsetBy: mark.count)...]
                return found
            }
            index = text.index(after: index)
        }
        return nil
    }

    private mutating func skip(_ count: Int) { rest = Substring(rest.utf8.dropFirst(count + 1)) }
}
