import HTTPServer
import HTTPTypes
import Pipeline
import Requests

/// One request for a picture: everything that is known before its source is loaded.
struct PictureRequest {
    let request: ServerRequest
    let route: PictureRoute
    /// The reason why the request is allowed.
    let grant: Grant
    /// Signs the addresses in markup; nil when the service requires no signatures.
    let signer: LinkSigner?
    /// The latest start of work on the picture.
    let deadline: ContinuousClock.Instant
    let image: FrameRequest.Image
    let parameters: FrameParameters
    let negotiation: Negotiation
    /// The path that distinguishes the response from that of other routes.
    let path: String
    /// The translation of an address in another service's syntax; nil for all other requests.
    let translation: Translation?

    /// Parses the parameters of an admitted request and negotiates the form of its response.
    ///
    /// - Throws: A ``Problem`` with status 400, 403 or 413.
    init(
        _ request: ServerRequest,
        route: PictureRoute,
        grant: Grant,
        signer: LinkSigner?,
        presets: PresetSet,
        deadline: ContinuousClock.Instant
    ) throws(Problem) {
        let query = try SignedQuery(of: request)
        let parsed = try FrameRequest(
            request,
            query: query,
            grant: grant,
            known: route.parameters,
            presets: presets
        )
        try self.init(
            request,
            parsed,
            route: route,
            // The address of a preset has the response of `/frame` with the parameter `preset`.
            path: parsed.parameters.preset == nil || route != .frame ? request.path : "/frame",
            grant: grant,
            signer: signer,
            deadline: deadline
        )
    }

    /// Reads the translation of an admitted request in another service's syntax.
    ///
    /// - Throws: A ``Problem`` with status 400.
    init(
        _ request: ServerRequest,
        _ translation: Translation,
        in name: GrammarName,
        grant: Grant,
        deadline: ContinuousClock.Instant
    ) throws(Problem) {
        let parsed = try FrameRequest(translation, known: PictureRoute.frame.parameters)
        try self.init(
            request,
            parsed,
            route: .frame,
            path: name.prefix,
            grant: grant,
            signer: nil,
            deadline: deadline,
            translation: translation
        )
    }

    /// Reads a request that came without HTTP, as a `POST`.
    ///
    /// - Throws: A ``Problem`` with status 400.
    init(
        _ job: PipeRequest,
        as request: ServerRequest,
        deadline: ContinuousClock.Instant
    ) throws(Problem) {
        let parsed = try FrameRequest(job.parameters, job.bytes, known: job.route.parameters)
        try self.init(
            request,
            parsed,
            route: job.route,
            path: job.path,
            grant: .everyone,
            signer: nil,
            deadline: deadline
        )
    }

    private init(
        _ request: ServerRequest,
        _ parsed: FrameRequest,
        route: PictureRoute,
        path: String,
        grant: Grant,
        signer: LinkSigner?,
        deadline: ContinuousClock.Instant,
        translation: Translation? = nil
    ) throws(Problem) {
        let parameters = parsed.parameters
        let negotiation = Negotiation(parameters.format, accept: request.headers[.accept], route: route)
        if let error = route.refusal(of: parameters, form: negotiation.form)
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
        self.path = path
        self.translation = translation
        image = parsed.image
    }

    /// Whether the response is cached under the request's address: not that of an upload, which is rarely repeated.
    var isCacheable: Bool { request.method == .get || request.method == .head }

    /// Whether the address always means the same picture, because it is signed or has a version.
    ///
    /// Another service's signature says nothing about versions.
    var isVersioned: Bool { grant.isSigned && translation == nil || parameters.given[.version] != nil }

    /// Whether the response may be found by its address alone, which an expiry could make invalid.
    ///
    /// Stickers and watermarks may change while the service runs, and client hints are not part of the address.
    var isIndexable: Bool { translation?.expires == nil && !parameters.usesOverlays && parameters.hinted.isEmpty }

    /// The options of another service that have no effect, as a header value; nil if there are none.
    var ignored: String? {
        guard let ignored = translation?.ignored, !ignored.isEmpty else { return nil }
        // Options are untrusted: characters other than visible ASCII, and commas, are dropped.
        return ignored.map { option in
            String(decoding: option.utf8.prefix(100).filter { (33...126).contains($0) && $0 != 44 }, as: UTF8.self)
        }.joined(separator: ", ")
    }

    /// Whether the response shows crops, so that their decisions are logged.
    var showsCrops: Bool { route != .faces || [.archive, .parts].contains(negotiation.form) }
}
