import HTTPServer
import HTTPTypes
import Pipeline
import Requests
import Workers

/// Builds the response to a request for a picture.
extension HeadroomHandler {
    /// The response to a request for a picture: out of the response index, or from its parameters and source.
    ///
    /// The grant limits the caching of the response, and of a problem that caches may store.
    func pictureResponse(
        to request: ServerRequest,
        route: Route,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> ServerResponse {
        let grant = try admit(request, route: route)
        entry.describe(grant)
        try await takeAllowance(grant)
        var response: ServerResponse
        if let (indexed, picture) = caches.responses.response(to: request, grant, presets.digest) {
            entry.describe(cached: picture)
            response = indexed
        } else {
            do throws(Problem) {
                let exchange = try exchange(request, route: route, grant: grant)
                response = try await self.response(to: exchange, log: &entry).response
                // The signature of an address in another service's words has the address' own expiry.
                exchange.grant.limitCaching(of: &response.headers, now: access.now())
            } catch {
                var problem = error
                if var headers = problem.caching {
                    grant.limitCaching(of: &headers, now: access.now())
                    problem.caching = headers
                }
                throw problem
            }
        }
        grant.limitCaching(of: &response.headers, now: access.now())
        return response
    }

    /// The stickers that a request names.
    private func stickers(of parameters: FrameParameters) throws(Problem) -> [Sticker] {
        do {
            return try overlays.stickers(parameters.overlays)
        } catch {
            throw Problem(error)
        }
    }

    /// The response to an exchange, and the plan of its result unless that was cached.
    func response(
        to exchange: Exchange,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> (response: ServerResponse, plan: FramePlan?) {
        let (parameters, negotiation) = (exchange.parameters, exchange.negotiation)
        let stickers = try stickers(of: parameters)
        let source = try await source(of: exchange, log: &entry)
        let backdrop = try await backdrop(of: exchange, log: &entry)
        let responseKey = ResponseKey(
            source: source,
            backdrop: backdrop,
            parameters: parameters,
            path: exchange.path,
            negotiation: negotiation,
            detector: service.detectorName,
            limits: service.limits,
            maxPixels: exchange.grant.tenant?.pixelLimit,
            signer: exchange.signer,
            overlays: overlays
        )
        let headers = CachingHeaders(
            tag: exchange.isCacheable ? responseKey.tag : nil,
            ifNoneMatch: exchange.request.headers[.ifNoneMatch],
            labels: source.labels,
            isNegotiated: negotiation.dependsOnAccept
        )
        let directives = OriginDirectives.strictest(source.cacheControl, backdrop?.cacheControl)
        let freshness = caching.value(isVersioned: exchange.isVersioned, origin: directives)
        if headers.isKnown { return (headers.notModified(cacheControl: freshness), nil) }
        let job = negotiation.job(
            source: source.bytes,
            parameters: parameters,
            stickers: stickers,
            backdrop: backdrop?.bytes
        )
        var response: ServerResponse
        var plan: FramePlan?
        switch try await result(of: job, for: exchange, responseKey, log: &entry) {
        case .cached(let picture, let isShared):
            entry.describe(cached: picture)
            response = ResultResponse.image(picture, isNegotiated: negotiation.dependsOnAccept)
            response.headers[.cacheStatus] = CacheStatus.hit(isShared: isShared)
        case .computed(let computed, let isJoined):
            entry.failure = computed.failure
            plan = computed.result.plan
            entry.describe(
                computed.result,
                of: job.options,
                showsCrops: exchange.showsCrops,
                isJoined: isJoined
            )
            response = try self.response(with: computed.result, to: exchange, responseKey)
            if exchange.isCacheable, caches.results.isEnabled {
                response.headers[.cacheStatus] = CacheStatus.miss(isJoined: isJoined)
            }
            if let degradation = computed.degradation {
                ResultResponse.name(&response, parameters.download)
                headers.addDegraded(to: &response.headers)
                response.headers[.headroomDegraded] = degradation.rawValue
                return (response, plan)
            }
        }
        response.headers[.headroomIgnored] = exchange.ignored
        ResultResponse.name(&response, parameters.download)
        let notModified = headers.notModified(cacheControl: freshness)
        headers.add(to: &response.headers, cacheControl: freshness)
        if job.answer.product.isSingleImage, exchange.isIndexable, let tag = headers.tag,
            let (source, _) = source.cached
        {
            var indexed = response.headers
            indexed[.serverTiming] = nil
            indexed[.cacheStatus] = CacheStatus.hit(isShared: false)
            let entry = ResponseIndex.Entry(
                pictureKey: responseKey.digest,
                tag: tag,
                headers: indexed,
                headersOfNotModified: notModified.headers,
                freshUntil: min(source.origin.freshUntil, backdrop?.cached?.source.origin.freshUntil ?? .max)
            )
            caches.responses.store(entry, for: exchange.request, exchange.grant, presets.digest)
        }
        return (headers.acceptsAny ? notModified : response, plan)
    }

    /// The response that presents a result in the negotiated form, without caching fields.
    private func response(
        with result: FrameResult,
        to exchange: Exchange,
        _ responseKey: ResponseKey
    ) throws(Problem) -> ServerResponse {
        let isNegotiated = exchange.negotiation.dependsOnAccept
        let fetch = responseKey.source.fetchTime
        switch exchange.negotiation.form {
        case .snippet:
            let snippet = PictureSnippet(result.plan, parameters: exchange.parameters, signer: exchange.signer)
            return ResultResponse.snippet(snippet, of: result, fetch: fetch)
        case .archive:
            return try ResultResponse.archive(of: result, fetch: fetch, isNegotiated: isNegotiated)
        case .parts:
            let boundary = responseKey.boundary
            return ResultResponse.parts(of: result, boundary: boundary, fetch: fetch, isNegotiated: isNegotiated)
        case .focus:
            guard let document = FocusDocument(result.plan) else { break }
            return ResultResponse.focus(document, of: result, fetch: fetch)
        case .image, .images, .document, .debug: break
        }
        guard let picture = CachedPicture(result, route: exchange.route) else {
            if let presenter = exchange.translation?.presenter {
                return ResultResponse.document(presenter(result.plan), of: result, fetch: fetch)
            }
            let document = PlanDocument(result.plan, crops: exchange.route != .faces)
            return ResultResponse.document(document, of: result, fetch: fetch, isNegotiated: isNegotiated)
        }
        var response = ResultResponse.image(picture, isNegotiated: isNegotiated)
        ResultResponse.time(result, fetch: fetch, in: &response.headers)
        return response
    }
}
