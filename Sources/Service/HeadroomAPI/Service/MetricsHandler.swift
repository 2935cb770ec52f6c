import HTTPServer
import HTTPTypes
import Requests

/// The HTTP handler of the separate metrics address, which serves `/metrics` only.
struct MetricsHandler: HTTPHandler {
    let log: AccessLog

    func respond(to request: ServerRequest) async -> ServerResponse {
        let isKnown = Route.metrics.paths.contains(request.path)
        var entry = log.begin(request, route: isKnown ? Route.metrics.name : nil)
        var response: ServerResponse
        do throws(Problem) {
            response = try answer(request, isKnown: isKnown)
            log.write(entry, status: response.status, bytes: response.body.count)
        } catch {
            response = log.refuse(error, &entry)
        }
        response.headers[.requestID] = entry.id.description
        ProtectiveHeaders.add(to: &response.headers, isEmbeddable: false)
        return response
    }

    private func answer(_ request: ServerRequest, isKnown: Bool) throws(Problem) -> ServerResponse {
        guard request.method.isKnown else { throw .notImplemented(request.method) }
        guard isKnown else { throw .nothing(at: request, paths: "/metrics", advice: nil) }
        switch request.method {
        case .get, .head: return log.metrics.response(accept: request.headers[.accept])
        case .options: return StatusResponse.methods(Route.metrics.methods)
        default: throw .notAllowed(request.method, methods: Route.metrics.methods)
        }
    }

    /// Returns the response to a request that the server rejects.
    static func refusal(_ status: HTTPResponse.Status, _ detail: String) -> ServerResponse {
        var response = Problem(.invalidRequest, status, detail).response
        ProtectiveHeaders.add(to: &response.headers, isEmbeddable: false)
        return response
    }
}
