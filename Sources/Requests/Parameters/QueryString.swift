import Encodings

/// The pairs of a query, in their order.
package enum QueryString {
    /// The largest number of pairs; there are fewer parameters.
    package static let maxPairs = 64

    /// Decodes `a=b&c=d` (WHATWG URL, application/x-www-form-urlencoded: `+` is a space).
    ///
    /// - Throws: A ``ParameterErrors`` that names the pair that is not percent-encoded UTF-8.
    package static func pairs(_ query: String?) throws(ParameterErrors) -> [(name: String, value: String)] {
        // Bytes, because iterating over characters takes ten times as long.
        let parts = (query ?? "").utf8.split(separator: UInt8(ascii: "&"))
        guard parts.count <= maxPairs else {
            let error = ParameterError(
                name: "query",
                received: "\(parts.count) parameters",
                expected: "at most \(maxPairs) parameters"
            )
            throw ParameterErrors(all: [error])
        }
        var pairs: [(name: String, value: String)] = []
        for part in parts {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let (left, right) = (Substring(sides[0]), sides.count > 1 ? Substring(sides[1]) : "")
            guard let name = decoded(left), let value = decoded(right) else {
                let error = ParameterError(
                    name: String(left),
                    received: String(right),
                    expected: "percent-encoded UTF-8"
                )
                throw ParameterErrors(all: [error])
            }
            pairs.append((name, value))
        }
        return pairs
    }

    private static func decoded(_ text: Substring) -> String? {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) else {
            return String(text)
        }
        return PercentEncoding.decoded(text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
    }
}
