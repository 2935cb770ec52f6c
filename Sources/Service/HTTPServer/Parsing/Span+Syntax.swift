/// Character classes of RFC 9110 and RFC 3986.
extension UInt8 {
    static let carriageReturn = UInt8(ascii: "\r")
    static let lineFeed = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")
    static let colon = UInt8(ascii: ":")
    static let comma = UInt8(ascii: ",")
    static let semicolon = UInt8(ascii: ";")
    static let quote = UInt8(ascii: "\"")

    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    /// Whether the byte is an ASCII letter or a digit.
    private var isAlphanumeric: Bool {
        let lower = self | 0x20
        return isDigit || (lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z"))
    }

    /// The value of a hexadecimal digit; nil for other bytes.
    var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Whether the byte is a `tchar`, RFC 9110 §5.6.2.
    var isToken: Bool {
        switch self {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: isAlphanumeric
        }
    }

    /// Whether the byte is whitespace (`OWS`), RFC 9110 §5.6.3.
    var isWhitespace: Bool { self == .space || self == .tab }

    /// Whether a field value can contain the byte: `field-vchar`, space or tab, RFC 9110 §5.5.
    var isFieldContent: Bool { (self >= 0x20 && self != 0x7F) || self == .tab }

    /// Whether the byte is accepted in a request target.
    ///
    /// RFC 3986 allows fewer characters, but clients send `|` and `"` unencoded. A fragment (`#`) is never sent (RFC
    /// 9112 §3.2).
    var isTarget: Bool { self > 0x20 && self < 0x7F && self != UInt8(ascii: "#") }

    /// Whether the byte is `unreserved / sub-delims`, RFC 3986 §2: the characters of a registered name in addition to
    /// percent-encoded bytes.
    var isRegisteredName: Bool {
        switch self {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"),
            UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
            true
        default: isAlphanumeric
        }
    }
}

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
