import HTTPServer
import HTTPTypes
import Requests
import Telemetry

/// The HTTP handler of the separate metrics address, which serves `/metrics` only.
struct MetricsHandler: HTTPHandler {
    let log: AccessLog

    func respond(to request: ServerRequest) async -> ServerResponse {
        let route = Route(path: request.path) == .metrics ? Route.metrics : nil
        var entry = log.begin(request, route: route)
        var response: ServerResponse
        do throws(Problem) {
            response = try answer(request, route: route)
            log.write(entry, status: response.status, bytes: response.body.count)
        } catch {
            response = error.response
            entry.problem = error.kind
            log.write(entry, status: response.status, bytes: 0)
        }
        response.headers[.requestID] = entry.id.description
        ProtectiveHeaders.add(to: &response.headers, isEmbeddable: false)
        return response
    }

    private func answer(_ request: ServerRequest, route: Route?) throws(Problem) -> ServerResponse {
        guard request.method.isKnown else { throw .notImplemented(request.method) }
        guard let route else { throw .nothing(at: request, paths: "/metrics") }
        switch request.method {
        case .get, .head: return log.metrics.response(accept: request.headers[.accept])
        case .options: return StatusResponse.methods(of: route)
        default: throw .notAllowed(request.method, at: route)
        }
    }

    func refusal(status: HTTPResponse.Status, detail: String) -> ServerResponse {
        var response = Problem(.invalidRequest, status, detail).response
        ProtectiveHeaders.add(to: &response.headers, isEmbeddable: false)
        return response
    }
}

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
