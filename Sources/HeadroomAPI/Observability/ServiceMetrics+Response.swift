import HTTPServer
import HTTPTypes
import Telemetry

extension ServiceMetrics {
    /// The response of `/metrics`: all metrics in the Prometheus exposition format, or in OpenMetrics for a client that names
    /// it, as Prometheus does.
    func response(accept: String?) -> ServerResponse {
        let isOpenMetrics = accept?.lowercased().contains("application/openmetrics-text") == true
        let syntax: ExpositionFormat.Syntax = isOpenMetrics ? .openMetrics : .prometheus
        return ServerResponse(
            status: .ok,
            headers: [.contentType: syntax.contentType, .vary: "Accept", .cacheControl: "no-store"],
            body: Array(registry.exposition(syntax).utf8)
        )
    }
}
