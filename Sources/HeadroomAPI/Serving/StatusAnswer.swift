package import HTTPServer
import HTTPTypes
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

    func answer(isSaturated: Bool, hasWorkers: Bool) -> ServerResponse {
        if isDraining.load(ordering: .relaxed) {
            return StatusAnswer.text("draining\n", status: .serviceUnavailable)
        }
        if isSaturated {
            return StatusAnswer.text("queue full\n", status: .serviceUnavailable)
        }
        if !hasWorkers {
            return StatusAnswer.text("no worker\n", status: .serviceUnavailable)
        }
        return StatusAnswer.text("ready\n", status: .ok)
    }
}
