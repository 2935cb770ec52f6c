/// A metric in the JSON form of OTLP.
struct MetricDocument: Encodable {
    private struct Sum: Encodable {
        let dataPoints: [NumberPoint]
        /// AGGREGATION_TEMPORALITY_CUMULATIVE.
        var aggregationTemporality = 2
        var isMonotonic = true
    }

    private struct Gauge: Encodable {
        let dataPoints: [NumberPoint]
    }

    private struct Histogram: Encodable {
        let dataPoints: [HistogramPoint]
        /// AGGREGATION_TEMPORALITY_CUMULATIVE.
        var aggregationTemporality = 2
    }

    private struct NumberPoint: Encodable {
        let attributes: [Attribute]
        let startTimeUnixNano: String?
        let timeUnixNano: String
        let asDouble: Double
    }

    private struct HistogramPoint: Encodable {
        let attributes: [Attribute]
        let startTimeUnixNano: String
        let timeUnixNano: String
        let count: String
        let sum: Double
        let bucketCounts: [String]
        let explicitBounds: [Double]
        let exemplars: [ExemplarDocument]?
    }

    private struct ExemplarDocument: Encodable {
        let timeUnixNano: String
        let asDouble: Double
        let spanId: String
        let traceId: String

        init(_ exemplar: Exemplar) {
            timeUnixNano = "\(exemplar.time)"
            asDouble = exemplar.value
            spanId = exemplar.spanID
            traceId = exemplar.traceID
        }
    }

    private let name: String
    private let description: String
    private let unit: String
    private var sum: Sum?
    private var gauge: Gauge?
    private var histogram: Histogram?

    /// The values of a metric, with its start and the time of the values in nanoseconds since 1970.
    init(_ family: MetricFamily, start: String, now: String) {
        name = family.description.name
        description = family.description.help
        unit = name.contains("_seconds") ? "s" : name.contains("_bytes") ? "By" : "1"
        func attributes(_ values: [String]) -> [Attribute] {
            zip(family.description.labels, values).map { Attribute(key: $0, value: .init(.text($1))) }
        }
        func points(from start: String?) -> [NumberPoint] {
            family.series.compactMap { series in
                guard case .number(let value) = series.value, value.isFinite else { return nil }
                let attributes = attributes(series.labelValues)
                return NumberPoint(
                    attributes: attributes,
                    startTimeUnixNano: start,
                    timeUnixNano: now,
                    asDouble: value
                )
            }
        }
        switch family.description.kind {
        case .counter: sum = Sum(dataPoints: points(from: start))
        case .gauge: gauge = Gauge(dataPoints: points(from: nil))
        case .histogram(let bounds):
            let points = family.series.compactMap { series -> HistogramPoint? in
                guard case .histogram(let histogram) = series.value else { return nil }
                let exemplars = histogram.exemplars.compactMap { $0.map(ExemplarDocument.init) }
                return HistogramPoint(
                    attributes: attributes(series.labelValues),
                    startTimeUnixNano: start,
                    timeUnixNano: now,
                    count: "\(histogram.counts.reduce(0, +))",
                    sum: histogram.sum,
                    bucketCounts: histogram.counts.map { "\($0)" },
                    explicitBounds: bounds,
                    exemplars: exemplars.isEmpty ? nil : exemplars
                )
            }
            histogram = Histogram(dataPoints: points)
        }
    }
}
