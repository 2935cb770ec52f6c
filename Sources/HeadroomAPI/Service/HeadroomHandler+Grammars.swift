import HTTPServer
import HTTPTypes
import Requests

/// Addresses in the words of other services.
extension HeadroomHandler {
    /// The response to a request for an address of a grammar; a problem has the other service's status.
    func response(
        to request: ServerRequest,
        in name: GrammarName,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> ServerResponse {
        do {
            return try await pictureResponse(to: request, route: .grammar(name), log: &entry)
        } catch {
            var problem = error
            guard let grammar = grammars[name] else { throw problem }
            problem.status = grammar.status(of: problem)
            problem.headers = grammar.headers(of: problem)
            throw problem
        }
    }

    /// The exchange of a request that is not in the response index.
    func exchange(_ request: ServerRequest, route: Route, grant: Grant) throws(Problem) -> Exchange {
        let deadline = request.completedAt + queueTimeout
        guard case .grammar(let name) = route, let grammar = grammars[name] else {
            let signer = access.linkSigner(for: grant)
            let picture = route.picture ?? .frame
            return try Exchange(
                request,
                route: picture,
                grant: grant,
                signer: signer,
                presets: presets,
                deadline: deadline
            )
        }
        let translation = try grammar.translate(GrammarAddress(name, path: request.path, query: request.query))
        var grant = grant
        if let expires = translation.expires {
            guard access.now() <= expires else { throw grammar.expired }
            if case .signature(let key, _, let tenant) = grant {
                grant = .signature(key: key, SignatureTerms(expires: expires), tenant: tenant)
            }
        }
        return try Exchange(request, translation, in: name, grant: grant, deadline: deadline)
    }
}
