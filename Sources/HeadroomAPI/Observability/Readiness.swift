import HTTPServer
import HTTPTypes
import Synchronization
import Workers

/// Whether the service accepts new requests: not while draining, while the queue is full or without a live worker.
package final class Readiness: Sendable {
    private let isDraining = Atomic(false)

    /// Creates the state of a service that is not draining.
    package init() {}

    /// Reports the service as not ready from now on, because the process is about to exit.
    package func startDraining() { isDraining.store(true, ordering: .relaxed) }

    /// The reasons why the service is not ready, each in a few words; empty when it is ready.
    func obstacles(of service: FrameService) -> [String] {
        var obstacles: [String] = []
        if isDraining.load(ordering: .relaxed) { obstacles.append("draining") }
        if service.isSaturated { obstacles.append("queue full") }
        if !service.hasWorkers { obstacles.append("no worker") }
        return obstacles
    }

    /// The response of `/readyz`: 503 with one line for each reason, or 200 with `ready`.
    func response(for service: FrameService) -> ServerResponse {
        let obstacles = obstacles(of: service)
        if obstacles.isEmpty { return StatusResponse.text("ready\n", status: .ok) }
        return StatusResponse.text(obstacles.map { "\($0)\n" }.joined(), status: .serviceUnavailable)
    }
}
