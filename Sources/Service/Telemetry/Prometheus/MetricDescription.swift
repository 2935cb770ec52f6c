/// The description of a metric: name, kind, labels and help text.
///
/// Names follow the conventions of Prometheus: base units, and the suffix `_total` for counters.
package struct MetricDescription: Hashable, Sendable {
    /// The type of a Prometheus metric.
    package enum Kind: Hashable, Sendable {
        /// A value that only increases until the process ends.
        case counter
        /// A value that can increase and decrease.
        case gauge
        /// The number of observations up to each bound.
        ///
        /// The bounds are finite and ascending.
        case histogram(bounds: [Double])

        /// The type in a `TYPE` line.
        package var word: String {
            switch self {
            case .counter: "counter"
            case .gauge: "gauge"
            case .histogram: "histogram"
            }
        }
    }

    package let name: String
    package let kind: Kind
    /// The names of the labels.
    ///
    /// Every series has a value for each label, in this order.
    package let labels: [String]
    /// A sentence for the `HELP` line.
    package let help: String

    /// Creates a description.
    ///
    /// An invalid name traps, because names are constants.
    package init(_ name: String, _ kind: Kind, labels: [String] = [], help: String) {
        precondition(Self.isName(name), "\(name) is not a valid metric name")
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

/// A number type that metrics can use.
package protocol MetricNumber: Sendable {
    /// The number as written in the text of a scrape.
    var metricValue: Double { get }
}

extension Int: MetricNumber {
    package var metricValue: Double { Double(self) }
}

extension Double: MetricNumber {
    package var metricValue: Double { self }
}

/// A value that was read during a scrape.
struct MetricSample: Sendable {
    let description: MetricDescription
    /// The values for the labels in the description, in the same order.
    let labelValues: [String]
    let value: Double

    init(_ description: MetricDescription, _ labelValues: [String], _ value: Double) {
        precondition(labelValues.count == description.labels.count, description.name)
        self.description = description
        self.labelValues = labelValues
        self.value = value
    }
}
