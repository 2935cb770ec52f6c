import Admission
import Fetching
import HTTPServer
import HTTPTypes
import Pipeline
import Requests

/// An admitted HTTP request for a picture.
struct PictureCall {
    let request: ServerRequest
    /// The reason why the request is allowed.
    let grant: Grant
    /// What the request asks for, without HTTP.
    let picture: PictureRequest

    /// Whether the address always means the same picture, because it is signed or has a version.
    ///
    /// Another service's signature says nothing about versions.
    var isVersioned: Bool {
        grant.isSigned && picture.translation == nil || picture.parameters.given[.version] != nil
    }

    /// Whether the response may be found by its address alone, which an expiry could make invalid.
    ///
    /// Stickers and watermarks may change while the service runs, and client hints are not part of the address.
    var isIndexable: Bool {
        picture.translation?.expires == nil && !picture.parameters.usesOverlays && picture.parameters.hinted.isEmpty
    }

    /// The options of another service that have no effect, as a header value; nil if there are none.
    var ignored: String? {
        guard let ignored = picture.translation?.ignored, !ignored.isEmpty else { return nil }
        // Options are untrusted: characters other than visible ASCII, and commas, are dropped.
        return ignored.map { option in
            String(decoding: option.utf8.prefix(100).filter { (33...126).contains($0) && $0 != 44 }, as: UTF8.self)
        }.joined(separator: ", ")
    }
}

/// Reads HTTP requests for pictures.
extension HeadroomHandler {
    /// Parses the query of an admitted request and, for a `POST`, its body: an image, a form, or a JSON object.
    ///
    /// - Throws: A ``Problem`` with status 400, 403, 413, 415 or 503.
    func pictureCall(_ request: ServerRequest, route: PictureRoute, _ grant: Grant) throws(Problem) -> PictureCall {
        var pairs = try SignedQuery(of: request).pairs
        if let name = Route.presetName(ofPath: request.path) { pairs.append((Parameter.preset.name, name)) }
        let isUpload = request.method == .post
        var bytes: SourceBytes = []
        var share: ByteShare?
        if isUpload {
            try grant.check(body: request.body)
            let maxBytes = min(maxBodyBytes, grant.terms?.maxUpload ?? .max)
            let body = try RequestBody(request, .init(maxBytes: maxBytes, budget: pictures.caches.fetcher.budget))
            share = body.share
            guard body.pairs.isEmpty || grant.allowsParametersInBody else { throw .unsignedParameters }
            pairs += body.pairs
            bytes = body.image
        }
        let parameters = try Problem.checked(
            FrameParameters(
                pairs,
                known: route.parameters,
                presets: settings.presets,
                allowedPresets: grant.tenant?.allowedPresets,
                hints: ClientHints(request.headers)
            )
        )
        let image = try Problem.checked(PictureRequest.Image(bytes, url: parameters.url, takesUploads: isUpload))
        // The address of a preset has the response of `/frame` with the parameter `preset`.
        let path = parameters.preset == nil || route != .frame ? request.path : "/frame"
        var picture = try PictureRequest(
            image,
            parameters,
            route: route,
            path: path,
            accept: request.headers[.accept],
            deadline: request.completedAt + pictures.queueTimeout
        )
        picture.signer = settings.access.linkSigner(for: grant)
        picture.share = share
        return call(request, grant, picture)
    }

    /// Translates an admitted request for an address of a grammar.
    ///
    /// - Throws: A ``Problem`` of the grammar, or with status 400.
    func pictureCall(
        _ request: ServerRequest,
        in name: GrammarName,
        _ grammar: any URLGrammar,
        _ grant: Grant
    ) throws(Problem) -> PictureCall {
        let translation = try grammar.translate(GrammarAddress(name, path: request.path, query: request.query))
        var grant = grant
        if let expires = translation.expires {
            guard settings.access.now() <= expires else { throw grammar.expired }
            if case .signature(let key, _, let tenant) = grant {
                grant = .signature(key: key, SignatureTerms(expires: expires), tenant: tenant)
            }
        }
        return try pictureCall(request, translation, in: name, grant)
    }

    /// The call without what caused a problem, if the other service answers with a picture nevertheless; else nil.
    ///
    /// - Throws: A ``Problem`` with status 400.
    func relaxed(_ call: PictureCall, in name: GrammarName, after problem: Problem) throws(Problem) -> PictureCall? {
        guard let translation = call.picture.translation?.relaxed(after: problem, in: name) else { return nil }
        return try pictureCall(call.request, translation, in: name, call.grant)
    }

    private func pictureCall(
        _ request: ServerRequest,
        _ translation: Translation,
        in name: GrammarName,
        _ grant: Grant
    ) throws(Problem) -> PictureCall {
        let url = (name: Parameter.url.name, value: translation.source)
        let pairs = translation.parameters.map { (name: $0.name.name, value: $0.value) }
        var picture = try PictureRequest(
            .url(translation.source),
            Problem.checked(FrameParameters([url] + pairs, known: PictureRoute.frame.parameters)),
            route: .frame,
            path: name.prefix,
            accept: request.headers[.accept],
            deadline: request.completedAt + pictures.queueTimeout
        )
        picture.translation = translation
        return call(request, grant, picture)
    }

    /// Adds what the client may use.
    private func call(_ request: ServerRequest, _ grant: Grant, _ picture: PictureRequest) -> PictureCall {
        var picture = picture
        picture.terms = jobTerms(grant, for: request.client)
        picture.fetchTerms = grant.tenant?.fetchTerms ?? FetchTerms()
        picture.isCacheable = request.method == .get || request.method == .head
        picture.isFromPrivateNetwork = request.isFromPrivateNetwork
        return PictureCall(request: request, grant: grant, picture: picture)
    }
}

extension ServerRequest {
    /// Whether the client is on this host or in a private network, and no proxy has forwarded the request but a trusted
    /// one, which names the client.
    fileprivate var isFromPrivateNetwork: Bool {
        guard proxy != nil || !headers.contains(.forwarded) && !headers.contains(.xForwardedFor),
            let address = client.host.flatMap(IPAddress.init)
        else { return false }
        return AddressPolicy.publicOnly.refusal(of: address) != nil
    }
}
