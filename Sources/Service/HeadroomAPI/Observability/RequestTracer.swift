import HTTPTypes
package import Telemetry

/// Traces requests: continues the traces of callers, starts new ones, and creates the spans of a finished request.
package struct RequestTracer: Sendable {
    let exporter: OTLPExporter

    /// Creates a tracer.
    ///
    /// The exporter sends its spans, and the exporter's sampler selects new traces.
    package init(_ exporter: OTLPExporter) { self.exporter = exporter }

    /// Returns the trace of a request: the caller's trace, or a new trace.
    func context(_ headers: HTTPFields) -> TraceContext {
        let sampler = exporter.sampler
        guard let context = TraceContext(headers) else { return .new(sampler) }
        return sampler.followsParent ? context : context.sampled(by: sampler)
    }

    /// Queues the spans of a finished request for export, if its trace is sampled.
    func finish(_ entry: AccessLog.Entry, status: Int, bytes: Int, after duration: Duration) {
        guard exporter.takesSpans, let trace = entry.trace, trace.isSampled else { return }
        exporter.add(RequestSpans(entry, trace, status: status, bytes: bytes, after: duration).all)
    }
}
