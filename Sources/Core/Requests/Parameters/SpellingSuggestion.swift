import UntrustedText

/// Suggests corrections of misspelt words.
package enum SpellingSuggestion {
    /// The maximum length of a compared word, in bytes.
    ///
    /// A longer word is never similar to a known word.
    private static let maxBytes = 32

    /// Returns the known word with the smallest edit distance; nil if more than a third of the letters differ.
    ///
    /// Case, hyphens and underscores are ignored.
    package static func nearest(to word: String, among words: [String]) -> String? {
        guard word.bytes.isWord(atMost: maxBytes) else { return nil }
        let given = plain(word)
        // A distance is at least the difference of the lengths.
        let near = words.map { (word: $0, letters: plain($0)) }.filter { candidate in
            3 * abs(candidate.letters.count - given.count) <= max(candidate.letters.count, given.count)
        }
        let candidates = near.map { (word: $0.word, letters: $0.letters, distance: editDistance(given, $0.letters)) }
        guard let best = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance * 3 <= max(given.count, best.letters.count) ? best.word : nil
    }

    /// Returns the letters and digits of a name in lower case, without hyphens, underscores, and the brackets that some
    /// programs append to repeated names.
    ///
    /// `max-width`, `max_width` and `maxWidth[]` all become `maxwidth`.
    static func plain(_ name: String) -> [UInt8] {
        name.utf8.map(\.lowercasedASCII).filter { byte in
            byte != UInt8(ascii: "-") && byte != UInt8(ascii: "_") && byte != UInt8(ascii: "[")
                && byte != UInt8(ascii: "]")
        }
    }

    /// Computes the number of bytes to insert, delete or replace, and of adjacent bytes to exchange (Damerau 1964,
    /// where each byte is changed at most once).
    private static func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var (beforeLast, last) = ([Int](), Array(0...right.count))
        var previous: UInt8?
        for (i, letter) in left.enumerated() {
            var row = [i + 1]
            for (j, other) in right.enumerated() {
                // bounded: rows have one element more than the number of letters, and this row has j + 1
                var distance = min(last[j] + (letter == other ? 0 : 1), row[j] + 1, last[j + 1] + 1)
                // bounded: j is at least 1
                if j > 0, letter == right[j - 1], other == previous {
                    // bounded: the row before the last exists if there is a previous letter
                    distance = min(distance, beforeLast[j - 1] + 1)
                }
                row.append(distance)
            }
            (beforeLast, last, previous) = (last, row, letter)
        }
        // bounded: as above
        return last[right.count]
    }
}
