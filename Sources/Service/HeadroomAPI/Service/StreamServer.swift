package import Fetching
package import HTTPServer
import HTTPTypes
package import Logging
package import Pipeline
package import Requests
package import Telemetry
package import Workers

/// A server of live streams.
///
/// It does all work of `/stream` except the checks of credentials and allowances, which the service does.
///
/// The service has this route if ``HeadroomService/Configuration/streams`` creates a server.
package protocol StreamServer: Sendable {
    /// Creates a server, with its metrics in the service's registry.
    typealias Maker = @Sendable (PrometheusRegistry) -> any StreamServer

    /// Whether the route is served; otherwise its path is unknown.
    var isServed: Bool { get }

    /// Returns a receiver for the body of an admitted upload, which receives the body while it arrives.
    ///
    /// It is called on the event loop. In the request of ``response(to:log:)``, the receiver is `bodyReceiver`.
    func receiver(of call: StreamCall) -> any BodyReceiver

    /// Returns the response to an admitted request when the first frame is ready.
    ///
    /// - Parameters:
    ///   - call: The request, which has been charged to its tenant.
    ///   - entry: Receives the preset, the host of the camera, and the cause of a failure.
    /// - Returns: A response whose body is a stream. The stream ends when the client disconnects, at a limit, or at a
    ///   shutdown.
    /// - Throws: A ``Problem`` if the request is not valid, if the maximum number of streams is reached, or if no frame
    ///   arrives.
    func response(to call: StreamCall, log entry: inout AccessLog.Entry) async throws(Problem) -> ServerResponse
}

/// An admitted request for a live stream, and the parts of the service that it uses.
package struct StreamCall: Sendable {
    package let request: ServerRequest
    package let authorization: Authorization
    /// The key or secret that the stream counts against; nil without credentials, and if the service has only one key
    /// or secret.
    package let credential: String?
    /// The presets that the request and its tenant may name.
    package let presets: PresetSet
    /// Runs jobs with frames.
    package let service: WorkerService
    /// The limits and the accounting of the jobs.
    package let limits: JobLimits
    /// Opens the camera.
    package let fetcher: ImageFetcher
    /// Receives the end of the stream.
    package let logger: Logger
}
