import CoreMetrics
import Glibc
import Synchronization

/// The Prometheus text format, version 0.0.4, and OpenMetrics 1.0, which supports exemplars.
///
/// https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
/// https://prometheus.io/docs/specs/om/open_metrics_spec/
package struct ExpositionFormat {
    /// The syntax of the text.
    package enum Syntax: Sendable {
        case prometheus, openMetrics

        package var contentType: String {
            switch self {
            case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
            case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
            }
        }
    }

    private(set) var text = ""
    private let syntax: Syntax
    private var description = MetricDescription("none", .gauge, help: "")

    init(_ syntax: Syntax) { self.syntax = syntax }

    mutating func add(_ family: MetricFamily) {
        begin(family.description)
        for series in family.series {
            switch (series.value, description.kind) {
            case (.number(let value), _): line(description.name, pairs(series.labelValues), Self.number(value))
            case (.histogram(let histogram), .histogram(let bounds)): add(histogram, bounds, series.labelValues)
            case (.histogram, _): break
            }
        }
    }

    mutating func end() { if syntax == .openMetrics { text += "# EOF\n" } }

    private mutating func begin(_ description: MetricDescription) {
        self.description = description
        // In OpenMetrics, the family name of a counter does not have the suffix.
        let isCounter = syntax == .openMetrics && description.kind == .counter
        let name = isCounter ? description.name.replacing("_total", with: "") : description.name
        text += "# HELP \(name) \(Self.escaped(description.help, quotes: syntax == .openMetrics))\n"
        text += "# TYPE \(name) \(description.kind.word)\n"
    }

    /// Adds a histogram.
    ///
    /// The buckets in both formats are cumulative.
    private mutating func add(_ histogram: HistogramSeries.Snapshot, _ bounds: [Double], _ labelValues: [String]) {
        let pairs = pairs(labelValues)
        var count: UInt64 = 0
        for (index, bound) in (bounds.map(Self.number) + ["+Inf"]).enumerated() {
            count += histogram.counts[index]
            line("\(description.name)_bucket", pairs + ["le=\"\(bound)\""], "\(count)", histogram.exemplars[index])
        }
        line("\(description.name)_sum", pairs, Self.number(histogram.sum))
        line("\(description.name)_count", pairs, "\(count)")
    }

    private func pairs(_ values: [String]) -> [String] {
        zip(description.labels, values).map { "\($0)=\"\(Self.escaped($1, quotes: true))\"" }
    }

    private mutating func line(_ name: String, _ pairs: [String], _ value: String, _ exemplar: Exemplar? = nil) {
        text += name
        if !pairs.isEmpty { text += "{\(pairs.joined(separator: ","))}" }
        text += " \(value)"
        if syntax == .openMetrics, let exemplar {
            let labels = "trace_id=\"\(exemplar.traceID)\",span_id=\"\(exemplar.spanID)\""
            let milliseconds = exemplar.time / 1_000_000
            let fraction = "\(milliseconds % 1000 + 1000)".dropFirst()
            text += " # {\(labels)} \(Self.number(exemplar.value)) \(milliseconds / 1000).\(fraction)"
        }
        text += "\n"
    }

    /// Formats a number for Go's ParseFloat.
    ///
    /// A whole number has no fraction.
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
        // The text is read by scalars, because CR and LF together are one Swift character.
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
/// When used as a timer, it records seconds, the base unit of Prometheus.
final class HistogramSeries: RecorderHandler, TimerHandler {
    struct Snapshot {
        /// The number of observations up to each bound and above the previous bound.
        ///
        /// The last count is for observations above all bounds.
        var counts: [UInt64]
        /// For each count, the last observation that has a trace.
        var exemplars: [Exemplar?]
        var sum = 0.0

        init(bounds: Int) {
            counts = Array(repeating: 0, count: bounds + 1)
            exemplars = Array(repeating: nil, count: bounds + 1)
        }
    }

    let bounds: [Double]
    private let state: Mutex<Snapshot>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(Snapshot(bounds: bounds.count))
    }

    var snapshot: Snapshot { state.withLock { $0 } }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) { record(value, nil) }

    func record(_ value: Double, _ exemplar: Exemplar?) {
        let index = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.counts[index] += 1
            state.sum += value
            if let exemplar { state.exemplars[index] = exemplar }
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
}

/// The values of a metric at one time.
struct MetricFamily {
    /// The label values of one series, and its value.
    struct Series {
        let labelValues: [String]
        let value: Value
    }

    enum Value {
        case number(Double)
        case histogram(HistogramSeries.Snapshot)
    }

    let description: MetricDescription
    /// The series; at least one.
    let series: [Series]
}

/// A measurement in a histogram, with its trace.
package struct Exemplar: Hashable, Sendable {
    /// The ID of the trace, 32 hexadecimal digits.
    package let traceID: String
    /// The ID of the span, 16 hexadecimal digits.
    package let spanID: String
    package let value: Double
    /// The time of the measurement, in nanoseconds since 1970.
    package let time: Int
}

/// A histogram of seconds.
///
/// Each bucket stores its last measurement with a trace as an exemplar.
package struct TracedTimer: Sendable {
    let series: HistogramSeries

    /// Records a duration.
    ///
    /// Also records its trace if the trace is exported.
    package func record(_ duration: Duration, trace: (traceID: String, spanID: String)? = nil) {
        let seconds = duration / .seconds(1)
        let exemplar = trace.map { trace in
            Exemplar(traceID: trace.traceID, spanID: trace.spanID, value: seconds, time: UnixNanoseconds.now)
        }
        series.record(seconds, exemplar)
    }
}

/// The clock for spans and exemplars.
package enum UnixNanoseconds {
    /// The current time, in nanoseconds since 1970.
    package static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
