package import Framing
import UntrustedText

extension WantedClass {
    /// The maximum weight of a class.
    package static let maximumWeight = WeighedSubject.maxFactor
    /// A regular expression for ``list(_:)``.
    package static let pattern = "object:[a-z-]+(:[0-9.]+)?(,[a-z-]+(:[0-9.]+)?)*"

    /// Parses class names separated by commas, each with an optional weight, such as `dog` or `person:2,cat:0.5`.
    ///
    /// - Returns: Nil for an unknown or repeated class, for a weight that is not above 0 or exceeds ``maximumWeight``,
    ///   and for an empty list.
    static func list(_ text: String) -> [WantedClass]? {
        let classes = text.list(",", atMost: SubjectClass.allCases.count) { WantedClass($0) }
        guard let classes, Set(classes.map(\.kind)).count == classes.count else { return nil }
        return classes
    }

    /// Returns the expected value for a value of `gravity` with an unknown class, as the end of a message; nil for other
    /// values.
    static func expected(inPlaceOf gravity: String) -> String? {
        let start = "object:"
        guard gravity.bytes.hasPrefix(start) else { return nil }
        let names = gravity.bytes.dropFirst(start.utf8.count).bytes.split(separator: ",")
            .map { String($0.bytes.prefix(before: ":")) }
        guard let unknown = names.first(where: { SubjectClass(word: $0) == nil }) else { return nil }
        let similar = SpellingSuggestion.nearest(to: unknown, among: SubjectClass.allCases.map(\.word))
        let known = similar.map { "\($0), or another class" } ?? "a class"
        return "\(known) of docs/framing.md#subjects, in place of \(ParameterError.shortened(unknown))"
    }

    private init?(_ text: Substring) {
        let parts = text.bytes.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first, let kind = SubjectClass(word: String(name)) else { return nil }
        guard parts.count == 2 else {
            self.init(kind)
            return
        }
        guard let weight = Double(plainDecimal: Substring(parts[1])), weight > 0, weight <= Self.maximumWeight else {
            return nil
        }
        self.init(kind, weight: weight)
    }
}
