/// A value that is read during a scrape.
package struct MetricSample: Sendable {
    /// The metric: a counter or a gauge.
    package let description: MetricDescription
    /// The values of the description's labels, in their order.
    package let labelValues: [String]
    /// The value.
    package let value: Double

    /// A sample with a floating-point value.
    package init(_ description: MetricDescription, _ labelValues: [String] = [], _ value: Double) {
        precondition(labelValues.count == description.labels.count, description.name)
        self.description = description
        self.labelValues = labelValues
        self.value = value
    }

    /// A sample with an integer value.
    package init(_ description: MetricDescription, _ labelValues: [String] = [], _ value: Int) {
        self.init(description, labelValues, Double(value))
    }
}
