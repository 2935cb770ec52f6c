import Caching
import Fetching
import HTTPServer
import HTTPTypes
import Imaging
import Pipeline
import Requests

/// Responses to requests for images, from the response index or from ``ImageService``.
extension HeadroomHandler {
    /// Returns the response to a request for an image.
    ///
    /// Uses the response index if possible; otherwise parses the parameters and loads the source.
    ///
    /// The authorization limits the caching of the response, and of a problem if caches may store it.
    func imageResponse(
        to request: ServerRequest,
        route: Route,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> ServerResponse {
        let authorization = try admit(request, route: route)
        entry.authorization = authorization
        try await takeAllowance(authorization)
        var response: ServerResponse
        if let (found, image) = images.caches.responses.hit(request, authorization, presetDigest) {
            entry.image.describe(cached: image)
            entry.image.preset = found.preset
            entry.image.deprecated = found.deprecated
            response = found.response(with: image)
            try check(response, to: request)
        } else {
            do throws(Problem) {
                response = try await newResponse(to: request, route: route, authorization, log: &entry)
            } catch {
                throw limited(error, of: request, authorization)
            }
        }
        authorization.limitCaching(of: &response.headers, now: settings.access.now())
        return response
    }

    /// Returns a problem with its caching fields, limited by the authorization.
    private func limited(_ problem: Problem, of request: ServerRequest, _ authorization: Authorization) -> Problem {
        let isUpload = request.method == .post
        var problem = problem.stored(by: freshnessRules(authorization), vary: "Accept", isUpload: isUpload)
        guard var headers = problem.caching else { return problem }
        authorization.limitCaching(of: &headers, now: settings.access.now())
        problem.caching = headers
        return problem
    }

    /// Returns the freshness rules for a client's requests, with or without a preset.
    private func freshnessRules(_ authorization: Authorization, preset: String? = nil) -> FreshnessRules {
        settings.caching.rules.overridden(by: authorization.tenant?.freshness)
            .overridden(by: preset.flatMap { settings.presets[$0]?.freshness })
    }

    /// Checks that a response fits into the memory for unsent responses; a response to `HEAD` has no body.
    ///
    /// - Throws: A ``Problem`` with status 422, because a retry would produce the same response.
    private func check(_ response: ServerResponse, to request: ServerRequest) throws(Problem) {
        guard response.body.count > maxResponseBytes, request.method != .head else { return }
        throw .responseTooLarge(response.body.count, limit: maxResponseBytes)
    }

    /// Returns the response to a request in a URL format.
    ///
    /// A problem has the status that the other service would use.
    func response(
        to request: ServerRequest,
        in name: URLFormatName,
        route: Route,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> ServerResponse {
        do {
            return try await imageResponse(to: request, route: route, log: &entry)
        } catch {
            var problem = error
            guard let urlFormat = settings.urlFormats[name] else { throw problem }
            problem.status = urlFormat.status(of: problem)
            problem.headers = urlFormat.headers(of: problem)
            throw problem
        }
    }

    /// Returns the response to an admitted request that is not in the response index.
    private func newResponse(
        to request: ServerRequest,
        route: Route,
        _ authorization: Authorization,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> ServerResponse {
        guard let name = route.urlFormat, let urlFormat = settings.urlFormats[name] else {
            let call = try await imageCall(request, route: route.image(at: request.path) ?? .frame, authorization)
            return try await response(to: call, route: route, log: &entry)
        }
        var call = try imageCall(request, in: name, urlFormat, authorization)
        var response: ServerResponse
        do throws(Problem) {
            response = try await self.response(to: call, route: route, log: &entry)
        } catch {
            guard let relaxed = try relaxed(call, in: name, after: error) else { throw error }
            entry.image.failure = nil
            call = relaxed
            response = try await self.response(to: call, route: route, log: &entry)
        }
        return response
    }

    /// Returns the response to a call: 304 if the client has the response, otherwise the result with its caching
    /// fields.
    ///
    /// - Throws: A ``Problem`` with its caching fields.
    private func response(
        to call: ImageCall,
        route: Route,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> ServerResponse {
        let rules = freshnessRules(call.authorization, preset: call.image.parameters.preset)
        var loaded: ImageService.Loaded?
        do throws(Problem) {
            return try await response(to: call, route: route, rules, &loaded, log: &entry)
        } catch {
            var problem = error
            problem.sourceTags = problem.sourceTags ?? loaded?.key.source.labels?.cacheTag
            problem = problem.stored(by: rules, vary: call.varying, isUpload: !call.image.isCacheable)
            if let value = problem.caching?[.cacheControl] {
                problem.caching?[.cacheControl] = call.limited(value, now: settings.access.now())
            }
            throw problem
        }
    }

    private func response(
        to call: ImageCall,
        route: Route,
        _ rules: FreshnessRules,
        _ found: inout ImageService.Loaded?,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> ServerResponse {
        var loaded = try await images.load(call.image, &entry.image)
        found = loaded
        let now = settings.access.now()
        let caching = CachingHeaders(call, loaded.key, settings.caching, rules, now: now)
        let isIndexed = loaded.job.target.product.isSingleImage && call.isIndexable
        // The response to a missing image does not contain an entity tag.
        if caching.isKnown, !loaded.key.source.isFallbackImage {
            if isIndexed, loaded.start.purged == images.caches.purges.count {
                index(nil, to: call, route: route, loaded.key, caching)
            }
            return caching.notModified
        }
        let result = try await images.result(of: &loaded, &entry.image)
        var response = ServerResponse(status: .ok, headers: result.fields, body: result.bytes)
        try check(response, to: call.request)
        response.headers[.cacheStatus] = cacheStatus(of: result, call)
        if result.degradation == nil || loaded.key.source.isFallbackImage {
            response.headers[.headroomIgnored] = call.ignored
        }
        response.headers[.headroomDeprecated] = entry.image.deprecated
        let fileName = loaded.key.source.url?.fileName ?? call.image.fileName
        call.image.parameters.download?.name(&response, source: fileName)
        if let degradation = result.degradation {
            let value = CachingPolicy.value(rules, ofFallbackImage: degradation == .missingSource)
            caching.add(to: &response.headers, degraded: call.limited(value, now: now))
            response.headers[.headroomDegraded] = degradation.rawValue
            if let problem = loaded.replaced { replaceStatus(of: &response, after: problem, route: route) }
            return response
        }
        caching.add(to: &response.headers)
        if isIndexed, loaded.start.purged == images.caches.purges.count {
            index(response.headers, to: call, route: route, loaded.key, caching)
        }
        return caching.acceptsAny ? caching.notModified : response
    }

    /// Replaces the status of a response with a fallback image, as configured.
    private func replaceStatus(of response: inout ServerResponse, after problem: Problem, route: Route) {
        switch settings.fallbackImageStatus {
        case .fixed(let status): response.status = status
        case .ofProblem:
            let urlFormat = route.urlFormat.flatMap { settings.urlFormats[$0] }
            response.status = urlFormat?.status(of: problem) ?? problem.status
            response.headers[.retryAfter] = problem.reply.headers[.retryAfter]
        }
    }

    private func cacheStatus(of result: ImageResult, _ call: ImageCall) -> String? {
        switch result.origin {
        case .cached(let level): return CacheStatus.hit(level)
        case .computed(let isJoined):
            guard call.image.isCacheable, images.caches.results.isEnabled else { return nil }
            return CacheStatus.miss(isJoined: isJoined)
        }
    }

    /// Adds a response to the response index, so that later requests for the same URL find it without parsing their
    /// parameters.
    ///
    /// Without `headers`, only the 304 response is added.
    ///
    /// Responses to uploads are not added.
    private func index(
        _ headers: HTTPFields?,
        to call: ImageCall,
        route: Route,
        _ key: ResponseKey,
        _ caching: CachingHeaders
    ) {
        guard let tag = caching.tag, let (source, _) = key.source.cached else { return }
        var headers = headers
        headers?[.serverTiming] = nil
        headers?[.cacheStatus] = CacheStatus.hit(.memory)
        let entry = ResponseIndex.Entry(
            imageKey: key.cacheKey,
            tag: tag,
            lastModified: caching.lastModified,
            headers: headers,
            headersOfNotModified: caching.notModified.headers,
            preset: call.image.parameters.preset,
            deprecated: DeprecatedName.changes(call.image.parameters.deprecated),
            freshUntil: min(source.origin.freshUntil, key.backdrop?.cached?.source.origin.freshUntil ?? .max),
            route: route.name,
            authorization: call.authorization
        )
        images.caches.responses.store(entry, for: call.request, presetDigest)
    }
}

extension DownloadName {
    /// Adds the file name that browsers use to save a response.
    fileprivate func name(_ response: inout ServerResponse, source: String?) {
        guard let type = response.headers[.contentType].flatMap(MediaType.init) else { return }
        var others = ["application/json": "json", "text/html": "html", "application/zip": "zip"]
        for video in VideoFormat.allCases { others[video.mediaType] = video.fileExtension }
        let format = OutputFormat.allCases.first { $0.mediaType == type.essence }
        guard let name = format?.fileExtensions.first ?? others[type.essence] else { return }
        guard let disposition = disposition(name, source: source) else { return }
        response.headers[.contentDisposition] = disposition
    }
}

extension CachingHeaders {
    /// Creates the caching fields of the response to a call; the key identifies its result.
    init(_ call: ImageCall, _ key: ResponseKey, _ policy: CachingPolicy, _ rules: FreshnessRules, now: Int) {
        tag = call.image.isCacheable ? key.tag : nil
        let images = [key.source] + [key.backdrop].compactMap(\.self)
        let times = images.compactMap(\.lastModified)
        // Stickers and watermarks may change while the service runs.
        let isDated = tag != nil && times.count == images.count && !call.image.parameters.usesOverlays
        lastModified = isDated ? times.max() : nil
        modifiedSince = tag == nil ? nil : IfNoneMatch.modifiedSince(call.request.headers)
        condition = tag == nil ? nil : IfNoneMatch(call.request.headers[.ifNoneMatch])
        let directives = OriginDirectives.strictest(key.source.cacheControl, key.backdrop?.cacheControl)
        let value = policy.value(rules, isVersioned: call.isVersioned, origin: directives)
        cacheControl = call.limited(value, now: now)
        labels = key.source.labels
        let asked = call.hints.filter(\.isRequested).map(\.rawValue)
        vary = call.varying
        acceptCH = asked.isEmpty ? nil : asked.joined(separator: ", ")
    }
}
