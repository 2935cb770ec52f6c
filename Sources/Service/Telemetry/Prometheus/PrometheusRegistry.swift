package import CoreMetrics
import Synchronization

/// Stores metrics in memory and writes them in the Prometheus text format.
///
/// It is a backend for swift-metrics. Only declared metrics are stored, so untrusted input cannot create a series. Code
/// that counts events declares a metric and stores its series. Values that exist elsewhere, such as the length of a
/// queue, are read at each scrape (``ReadMetric``).
///
/// ```swift
/// let registry = PrometheusRegistry()
/// let requests = registry.counters("requests_total", by: "route", ["frame", "faces"], help: "Requests handled.")
/// requests["frame"]?.increment()
/// registry.read([ReadMetric.gauge("queue_length", help: "Waiting jobs.") { $0.count }]) { queue }
/// print(registry.exposition())
/// ```
package final class PrometheusRegistry: MetricsFactory {
    private enum Series {
        case counter(CounterSeries)
        case gauge(GaugeSeries)
        case histogram(HistogramSeries)
    }

    private struct State {
        /// The metrics in the order of their declaration, which is also the order of the output.
        var descriptions: [MetricDescription] = []
        var byName: [String: MetricDescription] = [:]
        /// The series by the name of the metric, and then by the values of the labels.
        var series: [String: [[String]: Series]] = [:]
        var readers: [@Sendable () -> [MetricSample]] = []
    }

    private let state = Mutex(State())

    /// Creates a registry and declares metrics.
    package init(_ descriptions: [MetricDescription] = []) {
        for description in descriptions { declare(description) }
    }

    /// The declared metrics in the order of their declaration, which is also the order of the output.
    package var descriptions: [MetricDescription] { state.withLock(\.descriptions) }

    /// Declares a metric unless it is already declared.
    ///
    /// A different metric with the same name traps, because names are constants.
    @discardableResult package func declare(_ description: MetricDescription) -> MetricDescription {
        state.withLock { state in
            if let known = state.byName[description.name] {
                precondition(known == description, "\(description.name) is declared twice")
            } else {
                state.byName[description.name] = description
                state.descriptions.append(description)
            }
        }
        return description
    }

    /// Declares metrics whose values are read at every scrape.
    ///
    /// - Parameters:
    ///   - metrics: The metrics that are read from each source.
    ///   - sources: Returns the sources at the time of a scrape, each with the values of the first labels; empty if
    ///     there is no source.
    package func read<Source>(
        _ metrics: [ReadMetric<Source>],
        _ sources: @escaping @Sendable () -> [(labelValues: [String], source: Source)]
    ) {
        for metric in metrics { declare(metric.description) }
        let samples: @Sendable () -> [MetricSample] = {
            sources().flatMap { labelValues, source in metrics.flatMap { $0.samples(of: source, labelValues) } }
        }
        state.withLock { $0.readers.append(samples) }
    }

    /// Declares metrics whose values are read from one source at every scrape.
    ///
    /// The closure returns nil if there is no source.
    package func read<Source>(_ metrics: [ReadMetric<Source>], _ source: @escaping @Sendable () -> Source?) {
        read(metrics) { source().map { [([], $0)] } ?? [] }
    }

    /// Declares a counter for each value of a label.
    ///
    /// All counters start at 0, because Prometheus does not count the first increment of a new series.
    package func counters<Key: Hashable>(
        _ name: String,
        by label: String,
        _ keys: [Key],
        help: String,
        value: (Key) -> String
    ) -> [Key: Counter] {
        let description = declare(MetricDescription(name, .counter, labels: [label], help: help))
        return Dictionary(uniqueKeysWithValues: keys.map { ($0, counter(description, [value($0)])) })
    }

    /// Declares a counter for each of the words.
    ///
    /// The words are the values of `label`.
    package func counters(_ name: String, by label: String, _ words: [String], help: String) -> [String: Counter] {
        counters(name, by: label, words, help: help) { $0 }
    }

    /// Declares a counter for each case of a type.
    ///
    /// The raw values are the values of `label`.
    package func counters<Key: RawRepresentable & CaseIterable & Hashable>(
        _ name: String,
        by label: String,
        _ keys: Key.Type,
        help: String
    ) -> [Key: Counter] where Key.RawValue == String {
        counters(name, by: label, Array(keys.allCases), help: help, value: \.rawValue)
    }

    /// Declares a gauge without labels.
    package func gauge(_ name: String, help: String) -> Meter {
        gauge(declare(MetricDescription(name, .gauge, help: help)))
    }

    /// Returns the counter with these label values; a new counter starts at 0.
    package func counter(_ description: MetricDescription, _ labelValues: [String] = []) -> Counter {
        Counter(label: description.name, dimensions: Self.dimensions(description, labelValues), factory: self)
    }

    /// Returns the gauge with these label values; a new gauge starts at 0.
    package func gauge(_ description: MetricDescription, _ labelValues: [String] = []) -> Meter {
        Meter(label: description.name, dimensions: Self.dimensions(description, labelValues), factory: self)
    }

    /// Returns the histogram with these label values; a new histogram is empty.
    package func histogram(_ description: MetricDescription, _ labelValues: [String] = []) -> Recorder {
        Recorder(label: description.name, dimensions: Self.dimensions(description, labelValues), factory: self)
    }

    /// Returns the histogram of seconds with these label values; a new histogram is empty.
    package func timer(_ description: MetricDescription, _ labelValues: [String] = []) -> Timer {
        Timer(label: description.name, dimensions: Self.dimensions(description, labelValues), factory: self)
    }

    private static func dimensions(_ description: MetricDescription, _ values: [String]) -> [(String, String)] {
        precondition(values.count == description.labels.count, description.name)
        return Array(zip(description.labels, values))
    }

    /// Returns the histogram of seconds with these label values, whose measurements can belong to traces.
    package func tracedTimer(_ description: MetricDescription, _ labelValues: [String] = []) -> TracedTimer {
        let dimensions = Self.dimensions(description, labelValues)
        guard case .histogram(let series) = series(description.name, dimensions, kind: "histogram") else {
            return TracedTimer(series: HistogramSeries(bounds: []))
        }
        return TracedTimer(series: series)
    }

    /// Returns all metrics that have a value, in one of the text formats; see ``ExpositionFormat``.
    package func exposition(_ syntax: ExpositionFormat.Syntax = .prometheus) -> String {
        var text = ExpositionFormat(syntax)
        for family in families() { text.add(family) }
        text.end()
        return text.text
    }

    /// Returns all metrics that have a value, in the order of their declaration.
    func families() -> [MetricFamily] {
        let (descriptions, series, readers) = state.withLock { ($0.descriptions, $0.series, $0.readers) }
        let samples = Dictionary(grouping: readers.flatMap { $0() }, by: \.description.name)
        return descriptions.compactMap { description in
            let own = (series[description.name] ?? [:]).sorted { $0.key.lexicographicallyPrecedes($1.key) }
            let all =
                own.map { labelValues, series in
                    let value: MetricFamily.Value =
                        switch series {
                        case .counter(let counter): .number(Double(counter.value))
                        case .gauge(let gauge): .number(gauge.value)
                        case .histogram(let histogram): .histogram(histogram.snapshot)
                        }
                    return MetricFamily.Series(labelValues: labelValues, value: value)
                }
                + (samples[description.name] ?? []).map {
                    MetricFamily.Series(labelValues: $0.labelValues, value: .number($0.value))
                }
            return all.isEmpty ? nil : MetricFamily(description: description, series: all)
        }
    }

    // Conformance to the MetricsFactory protocol of swift-metrics.

    /// Returns a counter; increments of an undeclared counter are dropped.
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        if case .counter(let series) = series(label, dimensions, kind: "counter") { return series }
        return NOOPMetricsHandler.instance
    }

    /// Returns a gauge; values of an undeclared gauge are dropped.
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        if case .gauge(let series) = series(label, dimensions, kind: "gauge") { return series }
        return NOOPMetricsHandler.instance
    }

    /// Returns a histogram; values of an undeclared or non-aggregating histogram are dropped.
    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        if aggregate, case .histogram(let series) = series(label, dimensions, kind: "histogram") { return series }
        return NOOPMetricsHandler.instance
    }

    /// Returns a histogram of seconds; values of an undeclared histogram are dropped.
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        if case .histogram(let series) = series(label, dimensions, kind: "histogram") { return series }
        return NOOPMetricsHandler.instance
    }

    // Series are never removed. If a series disappeared and returned, Prometheus would interpret this as a restart of
    // the process.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    private func series(_ name: String, _ dimensions: [(String, String)], kind: String) -> Series? {
        guard let description = state.withLock({ $0.byName[name] }), description.kind.word == kind,
            description.labels == dimensions.map(\.0)
        else {
            assertionFailure("there is no \(kind) \(name) with the labels \(dimensions.map(\.0))")
            return nil
        }
        let values = dimensions.map(\.1)
        return state.withLock { state in
            if let series = state.series[name]?[values] { return series }
            let series: Series =
                switch description.kind {
                case .counter: .counter(CounterSeries())
                case .gauge: .gauge(GaugeSeries())
                case .histogram(let bounds): .histogram(HistogramSeries(bounds: bounds))
                }
            state.series[name, default: [:]][values] = series
            return series
        }
    }
}
