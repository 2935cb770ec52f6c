import UntrustedText

/// Suggests corrections of misspelt words.
package enum SpellingSuggestion {
    /// The maximum length of a compared word, in bytes.
    ///
    /// A longer word does not resemble a known word.
    private static let maxBytes = 32

    /// Returns the known word with the smallest edit distance; nil if more than half of the letters differ.
    package static func nearest(to word: String, among words: [String]) -> String? {
        guard word.bytes.isWord(atMost: maxBytes) else { return nil }
        let given = word.utf8.map(\.lowercasedASCII)
        // A distance is at least the difference of the lengths.
        let near = words.filter { 2 * abs($0.utf8.count - given.count) <= max($0.utf8.count, given.count) }
        let candidates = near.map { (word: $0, distance: editDistance(given, Array($0.utf8))) }
        guard let best = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
        let longest = max(given.count, best.word.utf8.count)
        return best.distance * 2 <= longest ? best.word : nil
    }

    /// Computes the number of bytes to insert, delete or replace (Levenshtein 1966).
    private static func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (i, letter) in left.enumerated() {
            // bounded: the row has one element more than the number of letters
            var diagonal = row[0]
            // bounded: as above
            row[0] = i + 1
            for (j, other) in right.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[right.count]
    }
}
