/// A value that is read at the moment of a scrape.
package struct MetricSample: Sendable {
    /// What it is a value of: a counter or a gauge.
    package let description: MetricDescription
    /// The values of the description's labels, in their order.
    package let labelValues: [String]
    /// The value.
    package let value: Double

    /// A value, as given.
    package init(_ description: MetricDescription, _ labelValues: [String] = [], _ value: Double) {
        precondition(labelValues.count == description.labels.count, description.name)
        self.description = description
        self.labelValues = labelValues
        self.value = value
    }

    /// A count, or a number of bytes.
    package init(_ description: MetricDescription, _ labelValues: [String] = [], _ value: Int) {
        self.init(description, labelValues, Double(value))
    }
}
