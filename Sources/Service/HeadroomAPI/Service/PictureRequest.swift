import Admission
import HTTPServer
import HTTPTypes
import Pipeline
import Requests

/// One request for a picture: everything that is known before its source is loaded.
struct PictureRequest {
    /// The location of the picture: a URL or the uploaded bytes.
    enum Image {
        case bytes(SourceBytes)
        case url(String)
    }

    let request: ServerRequest
    let route: PictureRoute
    /// The reason why the request is allowed.
    let grant: Grant
    /// The client whose shares of queues and budgets the request uses; nil for one without shares.
    var client: Client? { grant.client(at: request.client) }
    /// Signs the addresses in markup; nil when the service requires no signatures.
    private(set) var signer: LinkSigner?
    /// The latest start of work on the picture.
    let deadline: ContinuousClock.Instant
    let image: Image
    /// The memory of a decoded upload; nil for other pictures.
    private(set) var share: ByteShare?
    let parameters: FrameParameters
    let negotiation: Negotiation
    /// The path that distinguishes the response from that of other routes.
    let path: String
    /// The translation of an address in another service's syntax; nil for all other requests.
    private(set) var translation: Translation?

    /// Parses the query of an admitted request and, for a `POST`, its body: an image, a form, or a JSON object.
    ///
    /// - Throws: A ``Problem`` with status 400, 403, 413, 415 or 503.
    init(
        _ request: ServerRequest,
        route: PictureRoute,
        grant: Grant,
        signer: LinkSigner?,
        presets: PresetSet,
        decoding limits: ContentCoding.Limits,
        deadline: ContinuousClock.Instant
    ) throws(Problem) {
        var pairs = try SignedQuery(of: request).pairs
        if case .preset(let name)? = Route(path: request.path) { pairs.append((Parameter.preset.name, name)) }
        var bytes: SourceBytes = []
        var share: ByteShare?
        if request.method == .post {
            try grant.check(body: request.body)
            var limits = limits
            limits.maxBytes = min(limits.maxBytes, grant.terms?.maxUpload ?? .max)
            let body = try RequestBody(request, limits)
            share = body.share
            guard body.pairs.isEmpty || grant.allowsParametersInBody else { throw .unsignedParameters }
            pairs += body.pairs
            bytes = body.image
        }
        let parameters = try Problem.checked(
            FrameParameters(
                pairs,
                known: route.parameters,
                presets: presets,
                allowedPresets: grant.tenant?.allowedPresets,
                hints: ClientHints(request.headers)
            )
        )
        let image = try Problem.checked(Self.image(bytes, url: parameters.url, method: request.method))
        // The address of a preset has the response of `/frame` with the parameter `preset`.
        let path = parameters.preset == nil || route != .frame ? request.path : "/frame"
        try self.init(request, image, parameters, route: route, path: path, grant: grant, deadline: deadline)
        self.signer = signer
        self.share = share
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
        let url = (name: Parameter.url.name, value: translation.source)
        let pairs = translation.parameters.map { (name: $0.name.name, value: $0.value) }
        let parameters = try Problem.checked(FrameParameters([url] + pairs, known: PictureRoute.frame.parameters))
        let image = Image.url(translation.source)
        try self.init(request, image, parameters, route: .frame, path: name.prefix, grant: grant, deadline: deadline)
        self.translation = translation
    }

    /// The request without what caused a problem, if the other service answers with a picture nevertheless.
    func relaxed(after problem: Problem) throws(Problem) -> PictureRequest? {
        guard case .grammar(let name)? = Route(path: request.path),
            let next = translation?.relaxed(after: problem, in: name)
        else { return nil }
        return try PictureRequest(request, next, in: name, grant: grant, deadline: deadline)
    }

    /// Reads a request that came without HTTP, as a `POST`.
    ///
    /// - Throws: A ``Problem`` with status 400.
    init(_ job: PipeRequest, as request: ServerRequest, deadline: ContinuousClock.Instant) throws(Problem) {
        let parameters = try Problem.checked(FrameParameters(job.parameters, known: job.route.parameters, hints: nil))
        let image = try Problem.checked(Self.image(job.bytes, url: parameters.url, method: .post))
        try self.init(
            request,
            image,
            parameters,
            route: job.route,
            path: job.path,
            grant: .everyone,
            deadline: deadline
        )
    }

    /// Negotiates the form of the response.
    private init(
        _ request: ServerRequest,
        _ image: Image,
        _ parameters: FrameParameters,
        route: PictureRoute,
        path: String,
        grant: Grant,
        deadline: ContinuousClock.Instant
    ) throws(Problem) {
        let negotiation = Negotiation(parameters.format, accept: request.headers[.accept], route: route)
        if let error = route.refusal(of: parameters, form: negotiation.form)
            ?? negotiation.refusal(of: parameters.options.aspects)
        {
            throw Problem(ParameterErrors(all: [error]))
        }
        self.request = request
        self.image = image
        self.parameters = parameters
        self.negotiation = negotiation
        self.route = route
        self.path = path
        self.grant = grant
        self.deadline = deadline
    }

    private static func image(
        _ bytes: SourceBytes,
        url: String?,
        method: HTTPRequest.Method
    ) throws(ParameterErrors) -> Image {
        let expected: String
        switch (bytes.isEmpty, url) {
        case (true, let url?): return .url(url)
        case (false, nil): return .bytes(bytes)
        case (false, _?): expected = "either an image in the body or url, not both"
        case (true, nil):
            expected =
                method == .post
                ? "an image as the body, as the field image of a form, or a url"
                : "the http or https address of an image; or POST the image itself"
        }
        throw ParameterErrors(all: [ParameterError(name: "url", received: url, expected: expected)])
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
