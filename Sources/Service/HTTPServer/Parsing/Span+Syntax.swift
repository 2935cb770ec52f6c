extension Span<UInt8> {
    /// Returns `bounds` without leading and trailing whitespace.
    func trimmed(_ bounds: Range<Int>) -> Range<Int> {
        var lower = bounds.lowerBound
        var upper = bounds.upperBound
        while lower < upper, self[lower].isWhitespace { lower += 1 }
        while upper > lower, self[upper - 1].isWhitespace { upper -= 1 }
        // bounded: the loops stop where the two indices meet
        return lower..<upper
    }

    /// Whether the bytes equal `word`, ignoring case; `word` must be in lower case.
    func matches(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { word in
            // bounded: a count is not negative
            for index in 0..<count {
                let byte = self[index]
                let isUpper = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
                guard (isUpper ? byte | 0x20 : byte) == word[index] else { return false }
            }
            return true
        }
    }

    func equals(_ text: String) -> Bool {
        guard count == text.utf8.count else { return false }
        var index = 0
        for byte in text.utf8 {
            // bounded: both have the same number of bytes
            guard self[index] == byte else { return false }
            index += 1
        }
        return true
    }

    /// Calls `body` with each element of a comma-separated list, without surrounding whitespace (RFC 9110 §5.6.1).
    ///
    /// A comma inside a quoted string also separates elements.
    func forEachListElement<Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
        var start = 0
        while start <= count {
            let end = firstIndex(of: .comma, from: start) ?? count
            // bounded: the start is at most the count
            try body(extracting(trimmed(start..<end)))
            start = end + 1
        }
    }

    func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
        let index = end(of: { $0 != byte }, from: start)
        return index < count ? index : nil
    }

    /// Returns the index of the first byte, from `start`, that does not belong to a class.
    func end(of belongs: (UInt8) -> Bool, from start: Int = 0) -> Int {
        var index = start
        while index < count, belongs(self[index]) { index += 1 }
        return index
    }

    /// Whether all bytes are ASCII.
    var isASCII: Bool { end { $0 < 0x80 } == count }

    /// The bytes as text; invalid UTF-8 becomes U+FFFD.
    var text: String { withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
}
