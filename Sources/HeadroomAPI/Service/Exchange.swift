import HTTPServer
import HTTPTypes
import Pipeline

/// One request for a picture: everything that is known before its source is loaded.
struct Exchange {
    let request: ServerRequest
    let route: Route
    /// Why the request may be answered.
    let grant: Grant
    /// Signs the addresses in markup; nil when the service requires no signatures.
    let signer: LinkSigner?
    /// The latest start of work on the picture.
    let deadline: ContinuousClock.Instant
    let image: FrameRequest.Image
    let parameters: FrameParameters
    let negotiation: Negotiation

    /// Parses the parameters of an admitted request and negotiates the form of its response.
    ///
    /// - Throws: A ``Problem`` with status 400, 403 or 413.
    init(
        _ request: ServerRequest,
        route: Route,
        grant: Grant,
        signer: LinkSigner?,
        deadline: ContinuousClock.Instant
    ) throws(Problem) {
        let query = try SignedQuery(of: request)
        let parsed = try FrameRequest(request, query: query, grant: grant, known: route.parameters)
        let parameters = parsed.parameters
        let negotiation = Negotiation(parameters.format, accept: request.headers[.accept], route: route)
        if let error = route.refusal(of: parameters, answer: negotiation.answer)
            ?? negotiation.refusal(of: parameters.options.aspects)
        {
            throw Problem(ParameterErrors(all: [error]))
        }
        self.request = request
        self.route = route
        self.grant = grant
        self.signer = signer
        self.deadline = deadline
        self.parameters = parameters
        self.negotiation = negotiation
        image = parsed.image
    }

    /// Whether the response is cached under the request's address: not that of an upload, which is rarely repeated.
    var isCacheable: Bool { request.method == .get || request.method == .head }

    /// Whether the address always means the same picture, because it is signed or has a version.
    var isVersioned: Bool { grant.isSigned || parameters.given[.version] != nil }

    /// Whether the response shows crops, so that their decisions are logged.
    var showsCrops: Bool { route != .faces || [.archive, .parts].contains(negotiation.answer) }
}
