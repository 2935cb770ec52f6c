/// Untrusted text, which is compared, searched and split by its UTF-8 bytes.
///
/// `String` uses the rules of Unicode. It normalises, which takes time quadratic in the length of a run of combining
/// marks. It also combines marks, flags and joiners into characters of any length; 64 KiB of them take seconds. The
/// operations here take linear time. They are exact: two different encodings of one letter are different, and only the
/// 26 ASCII letters have upper and lower case.
///
/// The separators and words in these operations are ASCII, so no character is split.
package struct ByteText: Hashable, Sendable {
    /// The bytes as text.
    package let text: Substring

    /// Creates the text of a slice without copying the slice.
    package init(_ text: Substring) { self.text = text }

    /// The number of bytes.
    package var count: Int { text.utf8.count }

    package var isEmpty: Bool { text.isEmpty }

    /// Whether the text contains only ASCII characters.
    package var isASCII: Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    /// Whether the text is ASCII and has 1 to `limit` bytes.
    ///
    /// It can then safely be a dictionary key and be compared as a `String`.
    package func isWord(atMost limit: Int) -> Bool { !isEmpty && count <= limit && isASCII }

    // MARK: Comparing

    package static func == (left: ByteText, right: ByteText) -> Bool {
        left.count == right.count && left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Whether the text equals a word, ignoring the case of ASCII letters.
    ///
    /// The word must be in lower case.
    package func matches(_ word: String) -> Bool {
        count == word.utf8.count && zip(text.utf8, word.utf8).allSatisfy { $0.lowercasedASCII == $1 }
    }

    /// Whether the bytes start with the bytes of a word; the comparison is case-sensitive.
    ///
    /// Every text starts with the empty word.
    package func hasPrefix(_ word: String) -> Bool { text.utf8.starts(with: word.utf8) }

    /// Whether the text starts with a word, ignoring the case of ASCII letters.
    ///
    /// The word must be in lower case.
    package func begins(with word: String) -> Bool {
        text.utf8.lazy.map(\.lowercasedASCII).starts(with: word.utf8)
    }

    /// Whether the bytes end with the bytes of a word; the comparison is case-sensitive.
    package func hasSuffix(_ word: String) -> Bool { text.utf8.suffix(word.utf8.count).elementsEqual(word.utf8) }

    // MARK: Searching

    /// Whether the bytes of a non-empty text occur in this text.
    package func contains(_ word: String) -> Bool { firstRange(of: word) != nil }

    /// Returns the range of the first occurrence of a non-empty text; nil if it does not occur.
    package func firstRange(of word: String) -> Range<String.Index>? {
        let (bytes, word) = (text.utf8, Array(word.utf8))
        guard let first = word.first else { return nil }
        var start = bytes.startIndex
        while let found = bytes[start...].firstIndex(of: first) {
            // bounded: the word fits after the start of its occurrence
            if bytes[found...].starts(with: word) { return found..<bytes.index(found, offsetBy: word.count) }
            start = bytes.index(after: found)
        }
        return nil
    }

    // MARK: Changing

    /// Returns the text with the 26 ASCII letters in lower case.
    package func lowercased() -> String { String(decoding: text.utf8.map(\.lowercasedASCII), as: UTF8.self) }

    /// Returns the text with the 26 ASCII letters in upper case.
    package func uppercased() -> String { String(decoding: text.utf8.map(\.uppercasedASCII), as: UTF8.self) }

    /// Returns the text without its first bytes, which must be ASCII.
    package func dropFirst(_ count: Int) -> Substring { Substring(text.utf8.dropFirst(count)) }

    /// Returns the start of the text, before the first of some ASCII characters; the whole text if none of them occurs.
    package func prefix(before marks: String) -> Substring {
        Substring(text.utf8.prefix { !marks.utf8.contains($0) })
    }

    /// Returns the text without all leading occurrences of an ASCII character.
    package func dropping(_ mark: UInt8) -> Substring { Substring(text.utf8.drop { $0 == mark }) }

    /// Returns the text without spaces and tabs at both ends.
    package func trimmed() -> Substring {
        let bytes = text.utf8
        guard let first = bytes.firstIndex(where: { !$0.isBlank }), let last = bytes.lastIndex(where: { !$0.isBlank })
        else { return text[text.endIndex...] }
        // bounded: the first byte of a text is not after its last byte
        return Substring(bytes[first...last])
    }

    /// Returns the text without its spaces.
    package func withoutSpaces() -> String {
        String(decoding: text.utf8.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self)
    }

    /// Returns the parts between separators, in the same way as a collection's `split`.
    package func split(
        separator: String,
        maxSplits: Int = .max,
        omittingEmptySubsequences omitsEmpty: Bool = true
    ) -> [Substring] {
        if separator.utf8.count == 1, let byte = separator.utf8.first {
            return text.utf8.split(separator: byte, maxSplits: maxSplits, omittingEmptySubsequences: omitsEmpty)
                .map { Substring($0) }
        }
        var (parts, rest, splits) = ([Substring](), self, 0)
        while splits < maxSplits, let found = rest.firstRange(of: separator) {
            let part = rest.text[..<found.lowerBound]
            if !omitsEmpty || !part.isEmpty {
                parts.append(part)
                splits += 1
            }
            rest = ByteText(rest.text[found.upperBound...])
        }
        if !omitsEmpty || !rest.isEmpty { parts.append(rest.text) }
        return parts
    }

    /// Returns the texts before and after the first occurrence of a separator; the whole text and nil if the separator
    /// does not occur.
    package func halves(at separator: String) -> (before: Substring, after: Substring?) {
        guard let found = firstRange(of: separator) else { return (text, nil) }
        return (text[..<found.lowerBound], text[found.upperBound...])
    }

    /// Returns the text with each occurrence of a word replaced.
    package func replacing(_ word: String, with other: String) -> String {
        split(separator: word, omittingEmptySubsequences: false).joined(separator: other)
    }
}

extension ByteText: ExpressibleByStringLiteral, CustomStringConvertible {
    package init(stringLiteral value: String) { self.init(value[...]) }

    package var description: String { String(text) }
}

extension String: TextSlice {}
extension Substring: TextSlice {}

extension UInt8 {
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    fileprivate var uppercasedASCII: UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) ? self & ~0x20 : self
    }
}
