/// The parameters that routes take: the same words in a query, a form and a JSON object.
package enum ParameterName: String, CaseIterable, Sendable {
    case url
    case aspect
    case width
    case height
    case dpr
    case enlarge
    case fit
    case background
    case gravity
    case fallback
    case zoom
    case padding
    case place
    case accuracy
    case minFace
    case format
    case quality
    case lossless
    /// Any text: it tells addresses of different versions of a picture apart, and nothing else.
    case version = "v"

    /// The known name that a misspelt one is closest to; nil when none is near enough to be what was meant.
    package static func nearest(to name: String, among names: [ParameterName]) -> ParameterName? {
        let candidates = names.map { (name: $0, distance: editDistance(name.lowercased(), $0.rawValue)) }
        guard let best = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
        let longest = max(name.count, best.name.rawValue.count)
        return best.distance * 2 <= longest ? best.name : nil
    }

    /// The number of letters to insert, delete or replace to make one word of the other (Levenshtein 1966).
    private static func editDistance(_ left: String, _ right: String) -> Int {
        let left = Array(left.prefix(64))
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
