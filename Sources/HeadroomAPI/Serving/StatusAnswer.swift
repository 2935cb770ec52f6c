import FramePipeline
package import HTTPServer
import HTTPTypes
import PrometheusMetrics
import Synchronization

/// Answers that tell of the service itself; they never wait for a worker.
package enum StatusAnswer {
    /// The process is alive.
    static let alive = text("ok\n", status: .ok)

    /// The description of every route.
    package static let openAPI = ServerResponse(
        status: .ok,
        headers: [.contentType: "application/yaml", .cacheControl: "public, max-age=3600"],
        body: PackageResources.openapi_yaml
    )

    /// What has been counted since the start.
    static func metrics(_ metrics: ServiceMetrics) -> ServerResponse {
        ServerResponse(
            status: .ok,
            headers: [.contentType: ExpositionFormat.contentType, .cacheControl: "no-store"],
            body: Array(metrics.registry.exposition().utf8)
        )
    }

    /// The methods of a route, for `OPTIONS`.
    static func methods(of route: Route) -> ServerResponse {
        ServerResponse(status: .noContent, headers: [.allow: route.methodList])
    }

    static func text(_ text: String, status: HTTPResponse.Status) -> ServerResponse {
        ServerResponse(
            status: status,
            headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: Array(text.utf8)
        )
    }
}

/// Whether new requests are welcome: not while draining, not while the queue is full or no worker is alive.
package final class Readiness: Sendable {
    private let isDraining = Atomic(false)

    /// Ready until told otherwise.
    package init() {}

    /// No further requests are welcome, for the process is going away.
    package func startDraining() { isDraining.store(true, ordering: .relaxed) }

    /// Why requests are not welcome: no reason, or several, each in a few words.
    func obstacles(of service: FrameService) -> [String] {
        var obstacles: [String] = []
        if isDraining.load(ordering: .relaxed) { obstacles.append("draining") }
        if service.isSaturated { obstacles.append("queue full") }
        if !service.hasWorkers { obstacles.append("no worker") }
        return obstacles
    }

    /// One line for each reason, or `ready`.
    func answer(for service: FrameService) -> ServerResponse {
        let obstacles = obstacles(of: service)
        if obstacles.isEmpty { return StatusAnswer.text("ready\n", status: .ok) }
        return StatusAnswer.text(obstacles.map { "\($0)\n" }.joined(), status: .serviceUnavailable)
    }
}
