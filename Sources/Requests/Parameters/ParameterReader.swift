/// Parses the values of parameters and collects errors.
struct ParameterReader {
    /// The values as received, by name.
    private(set) var values: [Parameter: String] = [:]
    private(set) var errors: [ParameterError] = []

    init(_ pairs: [(name: String, value: String)], known: [Parameter]) {
        for (name, value) in pairs {
            guard let parameter = Parameter.named(name), known.contains(parameter) else {
                refuseUnknown(name, value: value, known: known)
                continue
            }
            guard value.utf8.count <= FrameParameters.maxValueBytes else {
                let expected = "at most \(FrameParameters.maxValueBytes) bytes"
                errors.append(ParameterError(name: name, received: value, expected: expected))
                continue
            }
            if values.updateValue(value, forKey: parameter) != nil {
                errors.append(ParameterError(name: name, received: value, expected: "\(name) only once"))
            }
        }
    }

    private mutating func refuseUnknown(_ name: String, value: String, known: [Parameter]) {
        let advice =
            if let nearest = NearestWord.nearest(to: name, among: known.map(\.name)) {
                "\(nearest), perhaps"
            } else {
                "one of \(known.map(\.name).joined(separator: ", "))"
            }
        errors.append(ParameterError(name: name, received: value, expected: advice, isUnknown: true))
    }

    /// The value as received; nil when it is absent.
    func text(_ name: Parameter) -> String? { values[name] }

    /// The value returned by `parse`; nil when it is absent or invalid.
    ///
    /// An invalid value is recorded as an error.
    mutating func value<Value>(_ name: Parameter, expected: String, _ parse: (String) -> Value?) -> Value? {
        guard let text = values[name] else { return nil }
        if let value = parse(text) { return value }
        refuse(name, expected: expected)
        return nil
    }

    /// Records an invalid value.
    mutating func refuse(_ name: Parameter, expected: String) {
        errors.append(ParameterError(name: name.name, received: values[name], expected: expected))
    }
}

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
