import CoreMetrics
import Synchronization

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

/// A counter with fixed label values.
final class CounterSeries: CounterHandler {
    private let count = Atomic<Int64>(0)

    var value: Int64 { count.load(ordering: .relaxed) }

    func increment(by amount: Int64) { count.add(amount, ordering: .relaxed) }

    func reset() { count.store(0, ordering: .relaxed) }
}

/// A gauge with fixed label values.
final class GaugeSeries: MeterHandler {
    private let state = Mutex(0.0)

    var value: Double { state.withLock { $0 } }

    func set(_ value: Int64) { set(Double(value)) }

    func set(_ value: Double) { state.withLock { $0 = value } }

    func increment(by amount: Double) { state.withLock { $0 += amount } }

    func decrement(by amount: Double) { state.withLock { $0 -= amount } }
}

/// A histogram with fixed label values.
///
/// As a timer it records seconds, the base unit of Prometheus.
final class HistogramSeries: RecorderHandler, TimerHandler {
    struct Snapshot {
        /// The number of observations between each bound and the previous one; the last is that above all bounds.
        var counts: [UInt64]
        var sum = 0.0
    }

    let bounds: [Double]
    private let state: Mutex<Snapshot>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(Snapshot(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    var snapshot: Snapshot { state.withLock { $0 } }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let index = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.counts[index] += 1
            state.sum += value
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
}
