/// A position in a video, in whole milliseconds.
package struct FrameTime: Hashable, Sendable {
    /// The maximum position, which is one day.
    static let maxSeconds = 86_400
    /// The accepted values, as the end of a sentence.
    static let expected = "a number of seconds from 0s to \(maxSeconds)s, with at most three decimals, such as 2.5s"
    /// The accepted values as a regular expression.
    static let pattern = #"[0-9]{1,5}(\.[0-9]{1,3})?s"#

    /// The position in milliseconds.
    package let milliseconds: Int

    /// Parses a value such as `2.5s`.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.last == UInt8(ascii: "s") else { return nil }
        let parts = bytes.dropLast().split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first, (1...5).contains(whole.count),
            let seconds = Self.number(whole), seconds <= Self.maxSeconds
        else { return nil }
        var rest = 0
        if parts.count == 2 {
            guard (1...3).contains(parts[1].count) else { return nil }
            let digits = Array(parts[1]) + Array("00".utf8)
            guard let number = Self.number(digits.prefix(3)) else { return nil }
            rest = number
        }
        guard seconds < Self.maxSeconds || rest == 0 else { return nil }
        milliseconds = seconds * 1000 + rest
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        let figures = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard digits.allSatisfy(figures.contains) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - figures.lowerBound) }
    }
}
