import HTTPServer
import HTTPTypes
import Requests

extension HeadroomHandler {
    /// Returns the response to a request that is not below the prefix.
    ///
    /// The prefix itself is redirected to the page below it; other paths get a problem.
    func response(to request: ServerRequest, outside prefix: PathPrefix) -> ServerResponse {
        var entry = log.begin(request, route: nil)
        do throws(Problem) {
            guard request.method.isKnown else { throw .notImplemented(request.method) }
            guard let address = prefix.addressBelow(request) else { throw .outside(prefix, request) }
            let response = StatusResponse.redirect(to: address)
            log.write(entry, status: response.status, bytes: 0)
            return finished(response, for: request, id: entry.id)
        } catch {
            return finished(log.refuse(error, &entry), for: request, id: entry.id)
        }
    }
}

extension Problem {
    /// Returns the problem for a path that is not below the prefix.
    fileprivate static func outside(_ prefix: PathPrefix, _ request: ServerRequest) -> Problem {
        let path = ParameterError.shortened(request.path)
        return Problem(.notFound, .notFound, "Unknown route \(path). All routes are below \(prefix)/.")
    }
}
