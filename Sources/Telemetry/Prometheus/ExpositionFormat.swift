/// Prometheus' text format, version 0.0.4.
///
/// https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
package struct ExpositionFormat {
    /// The media type of the text.
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""
    private var description = MetricDescription("none", .gauge, help: "")

    /// Begins a metric family; its series follow.
    mutating func begin(_ description: MetricDescription) {
        self.description = description
        text += "# HELP \(description.name) \(Self.escaped(description.help, quotes: false))\n"
        text += "# TYPE \(description.name) \(description.kind.word)\n"
    }

    /// Adds a counter's or a gauge's value.
    mutating func add(_ value: Double, _ labelValues: [String]) {
        line(description.name, pairs(labelValues), Self.number(value))
    }

    /// Adds a histogram; the buckets of the format are cumulative.
    mutating func add(_ histogram: HistogramSeries.Snapshot, bounds: [Double], _ labelValues: [String]) {
        let pairs = pairs(labelValues)
        var count: UInt64 = 0
        for (bound, number) in zip(bounds.map(Self.number) + ["+Inf"], histogram.counts) {
            count += number
            line("\(description.name)_bucket", pairs + ["le=\"\(bound)\""], "\(count)")
        }
        line("\(description.name)_sum", pairs, Self.number(histogram.sum))
        line("\(description.name)_count", pairs, "\(count)")
    }

    private func pairs(_ values: [String]) -> [String] {
        zip(description.labels, values).map { "\($0)=\"\(Self.escaped($1, quotes: true))\"" }
    }

    private mutating func line(_ name: String, _ pairs: [String], _ value: String) {
        text += name
        if !pairs.isEmpty { text += "{\(pairs.joined(separator: ","))}" }
        text += " \(value)\n"
    }

    /// A number for Go's ParseFloat; whole numbers without a fraction.
    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        guard text.utf8.contains(where: { [UInt8(ascii: "\\"), 0x0A, UInt8(ascii: "\"")].contains($0) }) else {
            return text
        }
        var escaped = ""
        // By scalars, because CR and LF together are one character.
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
