/// What a metric is, before it has a value: its name, its kind, its labels and what it means.
///
/// Names follow Prometheus' conventions: base units, `_total` for what only grows.
package struct MetricDescription: Hashable, Sendable {
    /// What values mean to Prometheus.
    package enum Kind: Hashable, Sendable {
        /// Only grows, until the process ends.
        case counter
        /// Goes up and down.
        case gauge
        /// How many observations there were up to each of some bounds, which are finite and ascend.
        case histogram(bounds: [Double])

        /// The word in a `TYPE` line.
        package var word: String {
            switch self {
            case .counter: "counter"
            case .gauge: "gauge"
            case .histogram: "histogram"
            }
        }
    }

    /// The family's name.
    package let name: String
    /// What its values mean.
    package let kind: Kind
    /// The names of its labels; every series has a value for each, in this order.
    package let labels: [String]
    /// One sentence for people.
    package let help: String

    /// A description; names are the programmer's, so a wrong one traps.
    package init(_ name: String, _ kind: Kind, labels: [String] = [], help: String) {
        precondition(Self.isName(name), "\(name) is no name of a metric")
        for label in labels {
            precondition(Self.isName(label) && !label.contains(":") && !label.hasPrefix("__") && label != "le", label)
        }
        if case .histogram(let bounds) = kind {
            precondition(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 } && bounds.allSatisfy(\.isFinite), name)
        }
        self.name = name
        self.kind = kind
        self.labels = labels
        self.help = help
    }

    private static func isName(_ text: String) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let first = text.utf8.first, !digits.contains(first) else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), digits: true
            case UInt8(ascii: "_"), UInt8(ascii: ":"): true
            default: false
            }
        }
    }
}
