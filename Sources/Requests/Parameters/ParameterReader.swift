import UntrustedText

/// The names of parameters that a request may have, known or not.
///
/// Names are compared and are keys of dictionaries, so text of other kinds is refused before that, by its bytes.
package enum ParameterName {
    /// The longest name, in bytes: that of parameters of other services in base 64 included.
    package static let maxBytes = 64

    /// The error of a parameter whose name is too long or not ASCII; nil for another name.
    package static func error(_ name: String, _ value: String) -> ParameterError? {
        if name.utf8.count <= maxBytes, name.bytes.isASCII { return nil }
        let expected = "a name of at most \(maxBytes) ASCII characters"
        return ParameterError(name: name, received: value, expected: expected, isUnknown: true)
    }
}

/// Parses the values of parameters and collects errors.
struct ParameterReader {
    private(set) var values: [Parameter: String] = [:]
    private(set) var errors: [ParameterError] = []
    private var unknownNames = 0

    /// Reads pairs whose names are those of ``ParameterName``.
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

    /// The most errors of unknown names that say which ones are known.
    private static let mostAdvised = 8

    private mutating func refuseUnknown(_ name: String, value: String, known: [Parameter]) {
        var advice = "a known name"
        if unknownNames < Self.mostAdvised {
            let names = known.map(\.name)
            let nearest = NearestWord.nearest(to: name, among: names).map { "\($0), perhaps" }
            advice = nearest ?? "one of \(names.joined(separator: ", "))"
        }
        unknownNames += 1
        errors.append(ParameterError(name: name, received: value, expected: advice, isUnknown: true))
    }

    /// The value as received; nil when it is absent.
    func text(_ name: Parameter) -> String? { values[name] }

    /// The value of a form; nil when it is absent, or invalid, which is recorded as an error.
    mutating func value<Value>(_ name: Parameter, _ form: ParameterForm<Value>) -> Value? {
        guard let text = values[name] else { return nil }
        if form.takesUnicode || text.bytes.isASCII, let value = form.parse(text) { return value }
        refuse(name, expected: form.expected)
        return nil
    }

    mutating func refuse(_ name: Parameter, expected: String) {
        errors.append(ParameterError(name: name.name, received: values[name], expected: expected))
    }
}

/// Suggests corrections of misspelt words.
package enum NearestWord {
    /// The longest compared word, in bytes: longer ones have nothing in common with a known one.
    private static let maxBytes = 32

    /// The known word with the smallest edit distance; nil when more than half of the letters differ.
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

    /// The number of bytes to insert, delete or replace (Levenshtein 1966).
    private static func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
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

/// One invalid parameter: its name, the received value, and the expected one.
package struct ParameterError: Error, Hashable, Sendable {
    /// The name as received.
    package var name: String
    /// The value as received; nil when it is missing.
    package var received: String?
    /// The expected value, as the rest of a sentence: "one of low, high".
    package var expected: String
    /// Whether the route has no parameter of that name.
    package var isUnknown = false

    /// An error of one parameter.
    package init(name: String, received: String?, expected: String, isUnknown: Bool = false) {
        self.name = name
        self.received = received
        self.expected = expected
        self.isUnknown = isUnknown
    }

    /// The error as a sentence for the caller.
    package var sentence: String {
        if isUnknown { return "There is no parameter \(Self.shortened(name)): expected \(expected)." }
        guard let received else { return "\(Self.shortened(name)) is missing: expected \(expected)." }
        return "\(Self.shortened(name))=\(Self.shortened(received)) is not valid: expected \(expected)."
    }

    /// The largest part of a name or a value that a response repeats, in bytes of UTF-8.
    package static let maxEchoedBytes = 100

    /// The text, truncated at a character boundary to ``maxEchoedBytes``.
    ///
    /// The limit is in bytes, because one grapheme can have megabytes of combining marks.
    package static func shortened(_ text: String) -> String {
        guard text.utf8.count > maxEchoedBytes else { return text }
        let end = text.utf8.index(text.startIndex, offsetBy: maxEchoedBytes)
        // A view of scalars rounds an index inside a scalar down.
        return String(text.unicodeScalars[..<end]) + "…"
    }
}

/// All invalid parameters of a request.
package struct ParameterErrors: Error, Sendable {
    /// The errors; at least one.
    package var all: [ParameterError]

    package init(all: [ParameterError]) { self.all = all }
}
