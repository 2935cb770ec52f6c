package import Imaging
package import UntrustedText

extension ImageFilter {
    /// The names of the filters that do not have a number.
    private static let plain = Name.allCases.filter { FilterRow.row(of: $0).numbers.maximum == nil }.map(\.rawValue)

    /// The names of the filters with a number from 0, with the maximum for each.
    private static let measured = Name.allCases.compactMap { name in
        FilterRow.row(of: name).numbers.maximum.map { (name: name.rawValue, maximum: $0) }
    }

    /// The names of the filters with a radius from 0, with the maximum for each.
    private static let withRadius = Name.allCases.compactMap { name -> (name: String, maximum: Double)? in
        guard case .radius(_, let maximum, _) = FilterRow.row(of: name).numbers else { return nil }
        return (name.rawValue, maximum)
    }

    /// The form of a list of filters, for errors.
    static let form =
        "at most \(maxCount) filters, separated by commas: \(plain.joined(separator: ", ")), "
        + measured.map { "\($0.name):N with N from 0 to \(Int($0.maximum))" }.joined(separator: ", ")
        + withRadius.map { ", \($0.name):N:R with a radius R from 0 to \(Int($0.maximum))" }.joined()

    /// The forms of all filters in documents.
    static let forms = Name.allCases.map { form(of: $0) }

    /// Returns the form of a filter in documents, such as `sharpen:N[:R]`.
    package static func form(of name: Name) -> String {
        switch FilterRow.row(of: name).numbers {
        case .none: name.rawValue
        case .one: "\(name.rawValue):N"
        case .radius: "\(name.rawValue):N[:R]"
        }
    }

    /// A filter, as a regular expression.
    static let pattern =
        "(\(plain.joined(separator: "|"))|(\(measured.map(\.name).joined(separator: "|"))):[0-9.]+"
        + withRadius.map { "|\($0.name):[0-9.]+:[0-9.]+" }.joined() + ")"

    /// Parses a filter such as `mono`, `blur:2.5` or `sharpen:1:2`; nil for other text.
    package init?(_ text: some TextSlice) {
        let parts = text.bytes.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard let first = parts.first, let name = Name.allCases.first(where: { first == $0.rawValue }) else {
            return nil
        }
        let numbers = parts.dropFirst()
        func value(_ text: Substring?, upTo maximum: Double) -> Double? {
            guard let text, let number = Double(plainDecimal: text), number >= 0, number <= maximum else { return nil }
            return number
        }
        switch (FilterRow.row(of: name).numbers, numbers.count) {
        case (.none(let filter), 0): self = filter
        case (.one(let maximum, let filter), 1):
            guard let number = value(numbers.first, upTo: maximum) else { return nil }
            self = filter(number)
        case (.radius(let maximum, _, let filter), 1):
            guard let number = value(numbers.first, upTo: maximum) else { return nil }
            self = filter(number, nil)
        case (.radius(let maximum, let maxRadius, let filter), 2):
            guard let number = value(numbers.first, upTo: maximum),
                let radius = value(numbers.dropFirst().first, upTo: maxRadius)
            else { return nil }
            self = filter(number, radius)
        default: return nil
        }
    }

    /// Parses a list of filters; nil if an element is not a filter, or if there are too many filters.
    static func list(_ text: String) -> [ImageFilter]? { text.list(",", atMost: maxCount) { ImageFilter($0) } }
}
