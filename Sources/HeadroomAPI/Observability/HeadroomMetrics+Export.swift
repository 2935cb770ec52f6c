package import Telemetry

extension HeadroomMetrics {
    /// Metrics of the export of traces and metrics.
    static let exporting = [exports, exportedSpans, droppedSpans, waitingSpans]

    static let exports = MetricDescription(
        "headroom_otlp_exports_total",
        .counter,
        labels: ["signal", "result"],
        help: "Requests to the collector, by signal and result."
    )
    static let exportedSpans = MetricDescription(
        "headroom_otlp_spans_total",
        .counter,
        help: "Spans that the collector has taken."
    )
    static let droppedSpans = MetricDescription(
        "headroom_otlp_spans_dropped_total",
        .counter,
        help: "Spans that were dropped, because the queue was full or the collector did not take them."
    )
    static let waitingSpans = MetricDescription(
        "headroom_otlp_spans_waiting",
        .gauge,
        help: "Spans that wait for their export."
    )
}

extension ServiceMetrics {
    /// Samples an exporter at each scrape.
    package func read(_ exporter: OTLPExporter) {
        // Weak, because the exporter retains the registry.
        registry.read { [weak exporter] in
            guard let statistics = exporter?.statistics else { return [] }
            let exports = ["traces", "metrics"].flatMap { signal in
                [true, false].map { isTaken in
                    MetricSample(
                        HeadroomMetrics.exports,
                        [signal, isTaken ? "taken" : "failed"],
                        statistics.exports[.init(signal: signal, isTaken: isTaken)] ?? 0
                    )
                }
            }
            return exports + [
                MetricSample(HeadroomMetrics.exportedSpans, [], statistics.spans),
                MetricSample(HeadroomMetrics.droppedSpans, [], statistics.droppedSpans),
                MetricSample(HeadroomMetrics.waitingSpans, [], statistics.waitingSpans),
            ]
        }
    }
}
