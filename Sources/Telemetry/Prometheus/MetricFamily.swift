/// The values of a metric at one time.
struct MetricFamily {
    /// The values of one series.
    struct Series {
        let labelValues: [String]
        let value: Value
    }

    /// The value of a series.
    enum Value {
        case number(Double)
        case histogram(HistogramSeries.Snapshot)
    }

    let description: MetricDescription
    /// At least one.
    let series: [Series]
}

/// A measurement of a histogram with the trace it belongs to.
package struct Exemplar: Hashable, Sendable {
    /// The trace, 32 hexadecimal digits.
    package let traceID: String
    /// The span, 16 hexadecimal digits.
    package let spanID: String
    /// The measured value.
    package let value: Double
    /// The time of the measurement, in nanoseconds since 1970.
    package let time: Int
}

/// A histogram of seconds whose buckets remember the trace of their last measurement.
package struct TracedTimer: Sendable {
    let series: HistogramSeries

    /// Records a duration, and its trace if that is exported.
    package func record(_ duration: Duration, trace: (traceID: String, spanID: String)? = nil) {
        let seconds = duration / .seconds(1)
        let exemplar = trace.map { trace in
            Exemplar(traceID: trace.traceID, spanID: trace.spanID, value: seconds, time: UnixNanoseconds.now)
        }
        series.record(seconds, exemplar)
    }
}
