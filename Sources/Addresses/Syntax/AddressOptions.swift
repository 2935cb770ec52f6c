import HeadroomAPI
import Requests
import UntrustedText

/// The options of another service's URL, by their names.
struct AddressOptions {
    /// The text between the name and the value of an option in error messages.
    private let mark: String
    /// The options whose values are names of files or URLs, and may have characters beyond ASCII.
    private let unicode: Set<String>
    private var values: [String: String] = [:]

    init(mark: String = "=", unicode: Set<String> = []) {
        self.mark = mark
        self.unicode = unicode
    }

    /// The value of an option; nil for an absent one.
    subscript(name: String) -> String? { values[name] }

    /// Sets an option, whose name is ASCII.
    ///
    /// - Throws: A ``Problem`` with status 400 for a value beyond ASCII that the option does not allow.
    mutating func set(_ name: String, _ value: String) throws(Problem) {
        values[name] = value
        guard value.bytes.isASCII || unicode.contains(name) else { throw invalid(name, "ASCII characters") }
    }

    /// Removes an option.
    mutating func remove(_ name: String) { values[name] = nil }

    /// An option in the form for problems.
    func text(_ name: String) -> String { "\(name)\(mark)\(values[name] ?? "")" }

    /// The problem of an invalid value.
    func invalid(_ name: String, _ expected: String) -> Problem { .invalid(option: text(name), expected: expected) }

    /// The value that `parse` returns; nil for an absent option.
    ///
    /// - Throws: A ``Problem`` with status 400 if `parse` returns nil.
    func value<Value>(_ name: String, expected: String, _ parse: (String) -> Value?) throws(Problem) -> Value? {
        guard let text = values[name] else { return nil }
        guard let value = parse(text) else { throw invalid(name, expected) }
        return value
    }

    /// A number within a range.
    func number(_ name: String, in range: ClosedRange<Double>) throws(Problem) -> Double? {
        let bounds = "\(NumberText.plain(range.lowerBound)) to \(NumberText.plain(range.upperBound))"
        return try value(name, expected: "a number from \(bounds)") { text in
            Double(plainDecimal: text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A number within a range that may be negative.
    func signedNumber(_ name: String, in range: ClosedRange<Double>) throws(Problem) -> Double? {
        let bounds = "\(NumberText.signed(range.lowerBound)) to \(NumberText.signed(range.upperBound))"
        return try value(name, expected: "a number from \(bounds)") { text in
            NumberText.read(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// The value of an option that must be a key of the table.
    func word<Value>(_ name: String, _ table: KeyValuePairs<String, Value>) throws(Problem) -> Value? {
        try value(name, expected: "one of \(table.map(\.key).joined(separator: ", "))") { text in
            table.first { $0.key == text }?.value
        }
    }
}
