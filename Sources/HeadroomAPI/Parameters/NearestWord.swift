/// Suggests corrections of misspelt words.
package enum NearestWord {
    /// The longest compared word, in bytes; no known word is half as long.
    private static let maxBytes = 64

    /// The known word with the smallest edit distance; nil when more than half of the letters differ.
    package static func nearest(to word: String, among words: [String]) -> String? {
        guard word.utf8.count <= maxBytes else { return nil }
        let candidates = words.map { (word: $0, distance: editDistance(word.lowercased(), $0)) }
        guard let best = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
        let longest = max(word.count, best.word.count)
        return best.distance * 2 <= longest ? best.word : nil
    }

    /// The number of letters to insert, delete or replace (Levenshtein 1966).
    private static func editDistance(_ left: String, _ right: String) -> Int {
        let left = Array(left)
        let right = Array(right)
        var row = Array(0...right.count)
        for (i, letter) in left.enumerated() {
            var diagonal = row[0]
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
