import HTTPServer
import HTTPTypes
import Telemetry

extension ServiceMetrics {
    /// The response of `/metrics`: all metrics in the Prometheus exposition format.
    var response: ServerResponse {
        ServerResponse(
            status: .ok,
            headers: [.contentType: ExpositionFormat.contentType, .cacheControl: "no-store"],
            body: Array(registry.exposition().utf8)
        )
    }
}
