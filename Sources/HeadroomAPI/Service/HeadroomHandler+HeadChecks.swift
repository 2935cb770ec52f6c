package import HTTPServer
import HTTPTypes
import Requests
import Workers

/// Checks of a request's header, before its body is received and before any work is done.
extension HeadroomHandler {
    /// Rejects a request without valid credentials, or one for a picture whose deadline cannot be met, before its body
    /// is received.
    ///
    /// - Returns: Nil to receive the body.
    package func refusal(ofHead request: ServerRequest, bodyLength: Int?) -> ServerResponse? {
        guard let route = route(of: request), route.servesPictures,
            [.get, .head, .post].contains(request.method)
        else {
            return nil
        }
        do throws(Problem) {
            let grant = try admit(request, route: route)
            try checkAllowance(grant)
            // Other services' addresses have no uploads.
            if case .grammar = route { return nil }
            _ = try SignedQuery(of: request)
            // A stream has no end, and its frames wait for workers one by one.
            if route == .stream { return nil }
            if let bodyLength { try grant.check(bodyLength: bodyLength) }
            // Parameters in the body may lead to a cached response, which needs no worker.
            let mayHoldParameters = RequestBody.isTakenApart(request) && bodyLength ?? .max <= RequestBody.maxJSONBytes
            if !mayHoldParameters, let refusal = service.refusal(by: request.acceptedAt + queueTimeout) {
                throw Problem(refusal)
            }
            return nil
        } catch {
            var entry = log.begin(request, route: route)
            return finished(refusal(error, log: &entry), for: request, route: route, id: entry.id)
        }
    }

    /// Checks a request for fetch loops and for credentials.
    func admit(_ request: ServerRequest, route: Route) throws(Problem) -> Grant {
        guard !FetchLoop.contains(request.headers) else { throw .fetchLoop }
        if case .grammar(let name) = route, let grammar = grammars[name] {
            return try access.grant(request, name, grammar)
        }
        return try access.grant(request)
    }
}
