import Encodings
import Imaging
import Requests
import UntrustedText

/// The options of another service's address, by their names.
struct AddressOptions {
    /// The text between name and value in problems.
    private let mark: String
    /// The options whose values are names of files or addresses, and may have characters beyond ASCII.
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
    /// - Throws: A ``Problem`` with status 400 for a value beyond ASCII that the option cannot have.
    mutating func set(_ name: String, _ value: String) throws(Problem) {
        values[name] = value
        guard value.bytes.isASCII || unicode.contains(name) else { throw invalid(name, "ASCII characters") }
    }

    /// An option as problems name it.
    func text(_ name: String) -> String { "\(name)\(mark)\(values[name] ?? "")" }

    /// The problem of a value that is not valid.
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

    /// The value of an option that must be a key of the table.
    func word<Value>(_ name: String, _ table: KeyValuePairs<String, Value>) throws(Problem) -> Value? {
        try value(name, expected: "one of \(table.map(\.key).joined(separator: ", "))") { text in
            table.first { $0.key == text }?.value
        }
    }
}

/// The filters of an address, as the value of `filter`.
///
/// Filters of services with public definitions are reproduced exactly, as far as a colour matrix can. Those of other
/// services become filters of this one with a similar strength.
struct FilterText {
    private var filters: [String] = []

    /// The value of `filter`; nil without filters.
    var text: String? { filters.isEmpty ? nil : filters.joined(separator: ",") }

    /// Adds a filter without an amount.
    mutating func add(_ name: String) { filters.append(name) }

    /// Adds a filter with an amount, which is clamped to 0 and the largest amount.
    ///
    /// A filter whose amount has no effect is left out.
    mutating func add(_ kind: Kind, _ amount: Double) {
        guard amount != kind.neutral else { return }
        filters.append("\(kind.rawValue):\(NumberText.plain(min(max(amount, 0), kind.most)))")
    }

    /// Adds filters that add a share of the whole range, -1 to 1, to all samples.
    ///
    /// They are a factor of brightness and one of contrast, whose matrices are multiplied before rounding: with
    /// `f = 1 + 2d`, the contrast `1 / f` and then the brightness `f` make `x + d`; below 0 the other way round.
    mutating func addOffset(_ share: Double) {
        guard share != 0 else { return }
        let factor = 1 + 2 * abs(min(max(share, -1), 1))
        let steps: [(Kind, Double)] =
            share > 0
            ? [(.contrast, 1 / factor), (.brightness, factor)] : [(.brightness, 1 / factor), (.contrast, factor)]
        for (kind, amount) in steps { add(kind, amount) }
    }

    /// Filters with an amount.
    enum Kind: String {
        case blur, sharpen, brightness, contrast, saturation

        /// The amount that changes nothing.
        var neutral: Double {
            switch self {
            case .blur, .sharpen: 0
            case .brightness, .contrast, .saturation: 1
            }
        }

        /// The largest amount.
        var most: Double {
            switch self {
            case .blur: PictureFilter.maxBlur
            case .sharpen: PictureFilter.maxSharpening
            case .brightness, .contrast, .saturation: PictureFilter.maxFactor
            }
        }
    }
}
