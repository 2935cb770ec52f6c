import Admission
package import HTTPServer
package import HTTPTypes
package import Logging
import Requests
import Synchronization
import Telemetry

/// The HTTP handler of the service.
///
/// It routes and admits requests, converts the results of ``ImageService`` to responses, and records metrics and the
/// access log.
package struct HeadroomHandler: HTTPHandler, ServerHooks {
    private(set) var images: ImageService
    let readiness: Readiness
    /// The settings that a reload replaces.
    private(set) var settings = ReloadableSettings()
    /// The digest of the presets of ``settings``.
    private(set) var presetDigest = ""
    let log: AccessLog
    /// Whether this handler serves `/metrics`.
    ///
    /// False if a separate address serves it.
    private(set) var servesMetrics = true
    /// Maximum size of a body in bytes, before and after decoding of its content coding.
    private(set) var maxBodyBytes = ServerConfiguration().maxBodyBytes
    /// Maximum size of a response in bytes.
    private(set) var maxResponseBytes = ServerConfiguration().maxUnsentBytes
    private let playground: Bool?
    /// All routes, whether this handler serves them or not.
    let routes: RouteTable
    private(set) var openAPI = StatusResponse.openAPI
    /// The playground page of a service with a public URL; nil for other services.
    private(set) var publicPage: StaticDocument?
    let tenants: TenantLedger
    /// Reads bodies; shared by all copies of the handler.
    let bodies = BodyReader()
    let streams: (any StreamServer)?

    /// Creates a handler without credentials, served URL formats and presets, and with the default settings for everything
    /// else.
    ///
    /// - Parameters:
    ///   - images: Processes image requests.
    ///   - readiness: The state that `/readyz` reports.
    ///   - routes: All routes.
    ///   - metrics: Receives the handler's metrics.
    ///   - playground: Whether `/` is the playground; nil enables it only if access needs no credentials.
    ///   - tenants: The allowances of tenants.
    ///   - streams: Serves live streams; nil for a service without the route.
    ///   - tracer: Exports spans of requests; nil for no export.
    ///   - logger: Receives the access log.
    package init(
        images: ImageService,
        readiness: Readiness,
        routes: RouteTable = RouteTable(),
        metrics: ServiceMetrics = ServiceMetrics(),
        playground: Bool? = nil,
        tenants: TenantLedger = TenantLedger(),
        streams: (any StreamServer)? = nil,
        tracer: RequestTracer? = nil,
        logger: Logger
    ) {
        self.images = images
        self.readiness = readiness
        self.routes = routes
        self.playground = playground
        self.tenants = tenants
        self.streams = streams
        log = AccessLog(logger: logger, metrics: metrics, tracer: tracer)
    }

    /// Returns a copy with the settings of a configuration.
    func with(_ configuration: HeadroomService.Configuration) -> HeadroomHandler {
        var handler = self
        handler.images.pathPrefix = configuration.pathPrefix
        handler.images.publicURL = configuration.publicURL
        handler.publicPage = configuration.publicURL.map(StatusResponse.playground(publicURL:))
        handler.openAPI = configuration.pathPrefix.map(StatusResponse.openAPI(below:)) ?? openAPI
        handler.maxBodyBytes = configuration.server.maxBodyBytes
        handler.maxResponseBytes = configuration.server.maxUnsentBytes
        handler.servesMetrics = configuration.metricsAddress == nil
        return handler.adopting(configuration.reloadable)
    }

    /// Returns a copy with new reloadable settings.
    func adopting(_ settings: ReloadableSettings) -> HeadroomHandler {
        var handler = self
        handler.settings = settings
        handler.presetDigest = settings.presets.digest
        handler.images.adopt(
            overlays: settings.overlays,
            missingImage: settings.missingImage,
            settings.fetchRules
        )
        tenants.keep(settings.access.tenants)
        return handler
    }

    /// Responds to one request; every error becomes a problem document.
    package func respond(to request: ServerRequest) async -> ServerResponse {
        guard ContentCoding.isDeclared(by: request) else { return await answer(request) }
        // A decoded body may contain many parameters; parsing them would delay the other connections of the event loop.
        return await withTaskExecutorPreference(globalConcurrentExecutor) { await answer(request) }
    }

    private func answer(_ request: ServerRequest) async -> ServerResponse {
        let route = route(of: request)
        let servesImages = route?.servesImages ?? false
        var entry = log.begin(request, route: route?.name)
        do {
            let response = try await response(to: request, route: route, log: &entry)
            log.write(entry, status: response.status, bytes: response.body.count)
            return finished(response, for: request, servesImages: servesImages, id: entry.id)
        } catch {
            return finished(log.refuse(error, &entry), for: request, servesImages: servesImages, id: entry.id)
        }
    }

    /// Returns the response to a repeated request for a cached image.
    ///
    /// It comes from the response index, without parsing parameters.
    ///
    /// Returns nil for requests with bearer secrets, and for requests of tenants, whose allowance may require a Redis
    /// lookup.
    package func immediateResponse(to request: ServerRequest) -> ServerResponse? {
        guard !settings.crossOrigin.dependsOnRequest,
            !settings.access.takesBearerTokens || !request.headers.contains(.authorization),
            let (found, image) = images.caches.responses.hit(request, nil, presetDigest),
            image?.bytes.count ?? 0 <= maxResponseBytes, !FetchLoop.contains(request.headers)
        else { return nil }
        let authorization = found.authorization
        let expires = authorization.limits?.expires
        let now = expires == nil ? 0 : settings.access.now()
        if let expires, now > expires { return nil }
        var entry = log.begin(request, route: found.route)
        entry.authorization = authorization
        entry.image.describe(cached: image)
        entry.image.preset = found.preset
        entry.image.deprecated = found.deprecated
        let (status, body) = (image == nil ? HTTPResponse.Status.notModified : .ok, image?.bytes ?? [])
        log.write(entry, status: status, bytes: body.count)
        // The head depends on the time only if the signature expires.
        let head = found.heads.head(status, at: now) {
            var response = found.response(with: image)
            authorization.limitCaching(of: &response.headers, now: now)
            response = finished(response, for: request, servesImages: true, id: entry.id)
            return PreparedHead(status, response.headers, open: .requestID)
        }
        return ServerResponse(head, value: entry.id.description, body: body)
    }

    /// Returns a problem document for a request that the server itself rejects.
    package func refusal(status: HTTPResponse.Status, detail: String) -> ServerResponse {
        let kind: Problem.Kind =
            switch status.code {
            case 413: .tooLarge
            case 422: .responseTooLarge
            case 503: .overloaded
            case 500: .internalError
            default: .invalidRequest
            }
        var problem = Problem(kind, status, detail)
        if kind == .overloaded { problem.retryAfter = .seconds(1) }
        log.metrics.refused(problem)
        return finished(problem.response, for: nil, id: nil)
    }

    /// Adds the fields that every response has; `id` is nil if the server could not parse the request.
    ///
    /// Other web pages may embed responses only from routes that serve images.
    func finished(
        _ response: ServerResponse,
        for request: ServerRequest?,
        servesImages: Bool = false,
        id: RequestID?
    ) -> ServerResponse {
        var response = response
        response.headers[.requestID] = id?.description
        ProtectiveHeaders.add(to: &response.headers, isEmbeddable: servesImages)
        settings.crossOrigin.add(to: &response.headers, for: request)
        settings.tagHeaders.apply(to: &response.headers)
        settings.fixedFields.add(to: &response.headers)
        return response
    }

    package func client(behind peer: PeerAddress, _ headers: HTTPFields) -> PeerAddress? {
        settings.trustedProxies.client(behind: peer, headers)
    }

    package func isProxy(_ peer: PeerAddress) -> Bool { settings.trustedProxies.contains(peer) }

    // MARK: Routing

    /// Returns the route of a request; nil for an unknown path and for a route that is not served.
    func route(of request: ServerRequest) -> Route? {
        routes.route(ofPath: request.path).flatMap { $0.isServed(self) ? $0 : nil }
    }

    var servesPlayground: Bool { playground ?? settings.access.isOpen }

    private func response(
        to request: ServerRequest,
        route: Route?,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> ServerResponse {
        guard request.method.isKnown else { throw .notImplemented(request.method) }
        if isPurge(request) { return try await purge(request) }
        guard let route else {
            let place = images.pathPrefix.map { ", below \($0)" } ?? ""
            let paths = "\(routes.listing(of: self))\(place)"
            let advice =
                routes.advice(forUnknownPath: request.path)
                ?? routes.path(similarTo: request.path, of: self).map { "Did you mean \($0)?" }
            throw .nothing(at: request, paths: paths, advice: advice)
        }
        guard route.methods.contains(request.method) else {
            throw .notAllowed(request.method, methods: route.methods)
        }
        if request.method == .options {
            var response = StatusResponse.methods(route.methods)
            settings.crossOrigin.addPreflight(to: &response.headers, for: request, methods: route.methods)
            return response
        }
        return try await route.respond(self, request, route, &entry)
    }
}

/// A handler that can be replaced while requests are in progress.
///
/// Each request finishes with the handler that was current at its start.
final class ReplaceableHandler: HTTPHandler, ServerHooks {
    /// Each request retains one reference instead of one reference per property of the handler.
    private final class Box: Sendable {
        let handler: HeadroomHandler

        init(_ handler: HeadroomHandler) { self.handler = handler }

        /// Calls a function with the handler.
        ///
        /// This avoids a copy of the handler, which would retain each of its properties.
        func lend<Result>(_ body: (HeadroomHandler) -> Result) -> Result { body(handler) }
    }

    private let current: Mutex<Box>

    init(_ handler: HeadroomHandler) { current = Mutex(Box(handler)) }

    /// Replaces the handler with a copy that has new reloadable settings.
    func adopt(_ settings: ReloadableSettings) {
        current.withLock { $0 = Box($0.handler.adopting(settings)) }
    }

    /// Purges the sources that other processes have announced; see ``HeadroomHandler/purgeAnnounced(since:)``.
    func purgeAnnounced(since: Int?) async -> Int? { await box.handler.purgeAnnounced(since: since) }

    var sharesPurges: Bool { box.handler.images.caches.sharedPurges != nil }

    private var box: Box { current.withLock(\.self) }

    var cacheStatistics: ServiceCaches.Statistics { box.handler.images.caches.statistics }

    func respond(to request: ServerRequest) async -> ServerResponse { await box.handler.respond(to: request) }

    func response(to request: ServerRequest, outside prefix: PathPrefix) -> ServerResponse {
        box.handler.response(to: request, outside: prefix)
    }

    func immediateResponse(to request: ServerRequest) -> ServerResponse? {
        box.lend { $0.immediateResponse(to: request) }
    }

    func refusal(ofHead request: ServerRequest, bodyLength: Int?) -> ServerResponse? {
        box.lend { $0.refusal(ofHead: request, bodyLength: bodyLength) }
    }

    func client(of request: ServerRequest) -> Client? { box.lend { $0.client(of: request) } }

    func bodyReceiver(for request: ServerRequest) -> (any BodyReceiver)? { box.lend { $0.bodyReceiver(for: request) } }

    func client(behind peer: PeerAddress, _ headers: HTTPFields) -> PeerAddress? {
        box.lend { $0.client(behind: peer, headers) }
    }

    func isProxy(_ peer: PeerAddress) -> Bool { box.lend { $0.isProxy(peer) } }

    func refusal(status: HTTPResponse.Status, detail: String) -> ServerResponse {
        box.handler.refusal(status: status, detail: detail)
    }
}
