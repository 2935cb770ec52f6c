import HTTPTypes
import HTTPServer
import Synchronization
import Workers

/// Whether the service accepts new requests: false while draining, and without a live worker.
///
/// A full queue makes the service unready only if configured. Under an overload, the queues of all replicas are full. A
/// load balancer that removes all replicas turns a few 503 responses into a complete outage.
package final class Readiness: Sendable {
    private let isDraining = Atomic(false)

    private let countsFullQueue: Bool

    /// Creates the state of a service that is not draining.
    ///
    /// - Parameter countsFullQueue: Whether a service with a full queue is not ready.
    package init(countsFullQueue: Bool = false) { self.countsFullQueue = countsFullQueue }

    /// Reports the service as not ready, because the process will exit soon.
    package func startDraining() { isDraining.store(true, ordering: .relaxed) }

    /// Returns the reasons why the service is not ready, each in a few words; empty when it is ready.
    func obstacles(of service: WorkerService) -> [String] {
        var obstacles: [String] = []
        if isDraining.load(ordering: .relaxed) { obstacles.append("draining") }
        if countsFullQueue, service.isSaturated { obstacles.append("queue full") }
        if !service.hasWorkers { obstacles.append("no worker") }
        return obstacles
    }

    /// Returns the response to `/readyz`: 503 with one line for each reason, or 200 with `ready`.
    func response(for service: WorkerService) -> ServerResponse {
        let obstacles = obstacles(of: service)
        if obstacles.isEmpty { return StatusResponse.text("ready\n", status: .ok) }
        return StatusResponse.text(obstacles.map { "\($0)\n" }.joined(), status: .serviceUnavailable)
    }
}
