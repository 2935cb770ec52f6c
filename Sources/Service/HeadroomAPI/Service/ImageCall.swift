import Admission
import Fetching
import HTTPServer
import HTTPTypes
import Pipeline
import Requests
import UntrustedText

/// An admitted HTTP request for an image.
struct ImageCall {
    let request: ServerRequest
    /// The reason why the request is allowed.
    let authorization: Authorization
    /// The image request, independent of HTTP.
    var image: ImageRequest
    /// The maximum freshness of the response, as stated in the URL, in seconds; nil for the configured freshness.
    private let maxAge: Int?

    /// Whether the URL always identifies the same image, because it is signed or contains a version.
    ///
    /// A signature of another service does not imply a version.
    var isVersioned: Bool {
        authorization.isSigned && image.translation == nil || image.parameters.given[.version] != nil
    }

    /// Whether the response may be found by its URL alone.
    ///
    /// This is not possible if the URL can expire.
    ///
    /// Stickers and watermarks may change while the service runs, and client hints are not part of the URL.
    var isIndexable: Bool {
        image.translation?.expires == nil && !image.parameters.usesOverlays && image.parameters.hinted.isEmpty
    }

    /// Returns a `Cache-Control` limited by the URL: by its maximum freshness, and by the expiry of another service's
    /// URL.
    ///
    /// - Parameters:
    ///   - cacheControl: The directives of the settings or of the origin.
    ///   - now: Seconds since 1970.
    /// - Returns: The directives.
    func limited(_ cacheControl: String, now: Int) -> String {
        var value = cacheControl
        if let maxAge { value = CacheControlTimes.shortened(value, to: maxAge, keepsStale: true) }
        guard let expires = image.translation?.expires else { return value }
        let left = UnixTime(clamping: expires) - UnixTime(clamping: now)
        return CacheControlTimes.shortened(value, to: left.count, keepsStale: false)
    }

    /// The client hints that determine parameter values.
    var hints: [ClientHints.Field] {
        let hinted = Set(image.parameters.hinted.flatMap(ClientHints.fields))
        return ClientHints.Field.allCases.filter(hinted.contains)
    }

    /// The request fields that determine the response, as the value of `Vary`; nil for none.
    var varying: String? {
        let fields = (image.negotiation.dependsOnAccept ? ["Accept"] : []) + hints.map(\.rawValue)
        return fields.isEmpty ? nil : fields.joined(separator: ", ")
    }

    /// The ignored options of another service's URL, as a header value; nil if no options are ignored.
    var ignored: String? {
        guard let ignored = image.translation?.ignored, !ignored.isEmpty else { return nil }
        // Options are untrusted. Commas and all characters other than visible ASCII are dropped.
        return ignored.map { option in
            String(decoding: option.utf8.prefix(100).filter { (33...126).contains($0) && $0 != 44 }, as: UTF8.self)
        }.joined(separator: ", ")
    }
}

extension ImageCall {
    /// Parses the query of an admitted request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - route: The route of the image.
    ///   - authorization: The reason why the request is allowed.
    ///   - signer: Signs the URLs in markup; nil if the service does not require signatures.
    ///   - settings: The presets, the default parameters and the ignored parameters of the service.
    ///   - body: The body of a `POST`: an image, a form, or a JSON object; nil for other methods.
    ///   - deadline: The deadline for the start of work on the image.
    /// - Throws: A ``Problem`` with status 400 or 403.
    init(
        _ request: ServerRequest,
        route: ImageRoute,
        authorization: Authorization,
        signer: LinkSigner?,
        settings: ReloadableSettings,
        body: RequestBody?,
        deadline: ContinuousClock.Instant
    ) throws(Problem) {
        let query = try SignedQuery(of: request)
        var pairs = query.pairs
        // A signature covers every parameter, so an added parameter is an error.
        if !authorization.isSigned, !query.isSigned {
            pairs.removeAll { settings.ignoredParameters.contains($0.name) }
        }
        if let body {
            guard body.pairs.isEmpty || authorization.allowsParametersInBody else { throw .unsignedParameters }
            pairs += body.pairs
        }
        let maxAge = try Problem.checked(query.maxAge())
        let defaults = settings.defaults.values(
            of: route.name,
            known: route.defaultParameters,
            formats: route.formats
        )
        let encodedPairs = pairs.count - (body.map { $0.isURLEncoded ? 0 : $0.pairs.count } ?? 0)
        if let name = Route.presetName(ofPath: request.path) { pairs.append((Parameter.preset.name, name)) }
        let parameters = try Problem.checked(
            FrameParameters(
                pairs,
                known: route.parameters,
                presets: settings.presets,
                allowedPresets: authorization.tenant?.allowedPresets,
                defaults: defaults,
                formats: route.formats,
                hints: ClientHints(request.headers),
                encodedPairs: encodedPairs
            )
        )
        if parameters.url == nil, let body, body.image.isEmpty, let emptiness = body.emptiness {
            throw .badRequest(emptiness)
        }
        let image = try Problem.checked(
            ImageRequest.Image(body?.image ?? [], url: parameters.url, takesUploads: body != nil)
        )
        // The URL of a preset has the same response as `/frame` with the parameter `preset`.
        let path = parameters.preset == nil || route != .frame ? request.path : "/frame"
        var source = try ImageRequest(
            image,
            parameters,
            route: route,
            path: path,
            accept: request.headers[.accept],
            takesJSON: !request.isUploadOfPage,
            deadline: deadline
        )
        source.signer = signer
        source.share = body?.share
        source.fileName = body?.fileName
        self.init(request, authorization, source, maxAge: maxAge)
    }

    /// Reads the translation of an admitted request in another service's syntax.
    ///
    /// - Throws: A ``Problem`` with status 400.
    init(
        _ request: ServerRequest,
        _ translation: Translation,
        in name: URLFormatName,
        authorization: Authorization,
        defaults: DefaultParameters,
        deadline: ContinuousClock.Instant
    ) throws(Problem) {
        let known = ImageRoute.frame.parameters
        let values = defaults.values(of: name.rawValue, known: known, formats: ImageRoute.frame.formats)
        let url = (name: Parameter.url.name, value: translation.source)
        let pairs = translation.parameters.map { (name: $0.name.name, value: $0.value) }
        var image = try ImageRequest(
            .url(translation.source),
            Problem.checked(FrameParameters([url] + pairs, known: known, defaults: values)),
            route: .frame,
            path: name.prefix,
            accept: request.headers[.accept],
            deadline: deadline
        )
        image.translation = translation
        self.init(request, authorization, image, maxAge: translation.maxAge)
    }

    private init(_ request: ServerRequest, _ authorization: Authorization, _ image: ImageRequest, maxAge: Int?) {
        self.maxAge = maxAge
        self.request = request
        self.authorization = authorization
        self.image = image
        self.image.fetchLimits = authorization.tenant?.fetchLimits ?? FetchLimits()
        self.image.isCacheable = request.method == .get || request.method == .head
        self.image.isFromPrivateNetwork = request.isFromPrivateNetwork
    }
}

extension ServerRequest {
    /// Whether the request is an upload from a web page: a form, or an `XMLHttpRequest` with the field that libraries
    /// add.
    ///
    /// Dropzone and other uploaders send `Accept: application/json` by default, because most services respond to
    /// uploads with JSON. This does not mean that they expect a plan.
    fileprivate var isUploadOfPage: Bool {
        guard method == .post else { return false }
        if let field = headers[.xRequestedWith], field.bytes.matches("xmlhttprequest") { return true }
        return headers.contains(.origin) && RequestBody.isForm(self)
    }
}
