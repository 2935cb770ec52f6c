/// A counter or a gauge whose values are read from a source at every scrape.
package struct ReadMetric<Source>: Sendable {
    /// The name, type, labels and help text.
    package let description: MetricDescription
    /// Returns the values of a source.
    ///
    /// Each value has the values of the labels that follow the source's labels.
    private let values: @Sendable (Source) -> [(labelValues: [String], value: Double)]

    /// Creates a counter with one value for each source.
    ///
    /// If the value is nil, the source is omitted.
    ///
    /// `labels` identify the source.
    package static func counter<Number: MetricNumber>(
        _ name: String,
        labels: [String] = [],
        help: String,
        _ value: @escaping @Sendable (Source) -> Number?
    ) -> Self {
        Self(.init(name, .counter, labels: labels, help: help)) { value($0).map { [([], $0.metricValue)] } ?? [] }
    }

    /// Creates a gauge with one value for each source.
    ///
    /// If the value is nil, the source is omitted.
    package static func gauge<Number: MetricNumber>(
        _ name: String,
        labels: [String] = [],
        help: String,
        _ value: @escaping @Sendable (Source) -> Number?
    ) -> Self {
        Self(.init(name, .gauge, labels: labels, help: help)) { value($0).map { [([], $0.metricValue)] } ?? [] }
    }

    /// Creates a counter with several values for each source.
    ///
    /// The first of the `labels` identify the source. Each value has the values of the remaining labels.
    package static func counters<Number: MetricNumber>(
        _ name: String,
        labels: [String],
        help: String,
        _ values: @escaping @Sendable (Source) -> [([String], Number)]
    ) -> Self {
        Self(.init(name, .counter, labels: labels, help: help)) { source in
            values(source).map { ($0.0, $0.1.metricValue) }
        }
    }

    private init(
        _ description: MetricDescription,
        _ values: @escaping @Sendable (Source) -> [(labelValues: [String], value: Double)]
    ) {
        self.description = description
        self.values = values
    }

    /// Returns the samples of a source; `labelValues` are the values of the labels that identify the source.
    func samples(of source: Source, _ labelValues: [String]) -> [MetricSample] {
        values(source).map { MetricSample(description, labelValues + $0.labelValues, $0.value) }
    }
}
