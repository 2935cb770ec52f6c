import Encodings

/// Parses the pairs of a query, in order.
package enum QueryString {
    /// The maximum number of pairs; larger than the number of parameters.
    package static let maxPairs = 64

    /// Decodes `a=b&c=d` (WHATWG URL, application/x-www-form-urlencoded: `+` is a space).
    ///
    /// - Throws: ``ParameterErrors`` for an invalid parameter name, or for a pair that is not percent-encoded UTF-8.
    package static func pairs(_ query: String?) throws(ParameterErrors) -> [(name: String, value: String)] {
        func failure(_ name: String, _ received: String, expected: String) -> ParameterErrors {
            ParameterErrors(all: [ParameterError(name: name, received: received, expected: expected)])
        }
        // The bytes are split, because iterating over characters takes ten times as long.
        let parts = (query ?? "").utf8.split(separator: UInt8(ascii: "&"))
        guard parts.count <= maxPairs else {
            throw failure("query", "\(parts.count) parameters", expected: "at most \(maxPairs) parameters")
        }
        var pairs: [(name: String, value: String)] = []
        for part in parts {
            let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let (left, right) = (Substring(part[..<end]), Substring(part[end...].dropFirst()))
            guard let name = decoded(left), let value = decoded(right) else {
                throw failure(String(left), String(right), expected: "percent-encoded UTF-8")
            }
            if let error = ParameterName.error(name, value) { throw ParameterErrors(all: [error]) }
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
