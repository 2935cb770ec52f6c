import Admission
import Fetching
import Framing
import HTTPServer
import HTTPTypes
import Pipeline
package import Requests
import Workers

/// Answers requests for pictures: loads the source, computes the response's key, runs the job or finds its result, and
/// presents it.
extension HeadroomHandler {
    /// The response to a request for a picture: from the response index, or from its parameters and source.
    ///
    /// The grant limits the caching of the response, and of a problem that caches may store.
    func pictureResponse(
        to request: ServerRequest,
        route: Route,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> ServerResponse {
        let grant = try admit(request, route: route)
        entry.grant = grant
        try await takeAllowance(grant)
        var response: ServerResponse
        if let (found, picture) = caches.responses.hit(request, grant, presets.digest) {
            entry.describe(cached: picture)
            entry.preset = found.preset
            response = found.response(with: picture)
        } else {
            do throws(Problem) {
                var wanted = try pictureRequest(request, route: route, grant: grant)
                do throws(Problem) {
                    response = try await self.response(to: wanted, log: &entry).response
                } catch {
                    guard let relaxed = try wanted.relaxed(after: error) else { throw error }
                    entry.failure = nil
                    wanted = relaxed
                    response = try await self.response(to: wanted, log: &entry).response
                }
                // The signature of an address in another service's syntax expires with the address.
                wanted.grant.limitCaching(of: &response.headers, now: access.now())
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

    /// Reads a request for a picture that is not in the response index.
    func pictureRequest(_ request: ServerRequest, route: Route, grant: Grant) throws(Problem) -> PictureRequest {
        let deadline = request.completedAt + queueTimeout
        guard case .grammar(let name) = route, let grammar = grammars[name] else {
            return try PictureRequest(
                request,
                route: route.picture ?? .frame,
                grant: grant,
                signer: access.linkSigner(for: grant),
                presets: presets,
                decoding: ContentCoding.Limits(maxBytes: maxBodyBytes, budget: caches.fetcher.budget),
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
        return try PictureRequest(request, translation, in: name, grant: grant, deadline: deadline)
    }

    /// The response to a request, and the plan of its result unless that was cached.
    func response(
        to wanted: PictureRequest,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> (response: ServerResponse, plan: FramePlan?) {
        entry.preset = wanted.parameters.preset
        let drawn = try Problem.checked(overlays.drawn(by: wanted.parameters))
        var source: PictureSource
        do throws(Problem) {
            source = try await self.source(of: wanted, log: &entry)
        } catch {
            guard let standIn = await standIn(of: wanted, after: error, log: &entry) else { throw error }
            source = standIn
        }
        let backdrop = try await backdrop(of: wanted, log: &entry)
        let key = ResponseKey(wanted, source, backdrop, service, overlays, pathPrefix)
        let caching = CachingHeaders(wanted, key, caching)
        let job = wanted.negotiation.job(
            source: source.bytes,
            parameters: wanted.parameters,
            drawn: drawn,
            backdrop: backdrop?.bytes
        )
        // The response to a missing picture has no entity tag.
        if caching.isKnown, !source.isStandIn {
            if job.target.product.isSingleImage, wanted.isIndexable { index(nil, to: wanted, key, caching) }
            return (caching.notModified, nil)
        }
        defer { withExtendedLifetime(wanted.share) {} }
        let found = try await result(of: job, for: wanted, key, log: &entry)
        return try present(found, of: job, to: wanted, key, caching, log: &entry)
    }

    // MARK: Run

    /// The result of a job: cached, joined (single flight) or computed now; that of an upload is always computed.
    func result(
        of job: FrameJob,
        for wanted: PictureRequest,
        _ key: ResponseKey,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> ResultCache.Found {
        let (deadline, route) = (wanted.deadline, wanted.route)
        let terms = jobTerms(wanted.grant, for: wanted.request.client)
        do throws(ResultCache.Failure) {
            guard wanted.isCacheable else {
                return .computed(try await compute(job, key, by: deadline, terms).get(), isJoined: false)
            }
            var picture: (@Sendable (FrameResult) -> CachedPicture?)?
            if job.target.product.isSingleImage { picture = { result in CachedPicture(result, route: route) } }
            return try await caches.results.result(for: key.digest, picture: picture, of: terms.client) {
                await compute(job, key, by: deadline, terms)
            }
        } catch {
            entry.failure = error.failure
            throw error.problem
        }
    }

    /// Runs a job; when detection fails, runs it again without detection and returns a degraded result, because a
    /// centred crop is more useful to a page than none.
    private func compute(
        _ job: FrameJob,
        _ key: ResponseKey,
        by deadline: ContinuousClock.Instant,
        _ terms: JobTerms
    ) async -> Result<ResultCache.Computed, ResultCache.Failure> {
        let source = key.source
        var shares: [ByteShare] = []
        do throws(FetchError) {
            // The HTTP server accounts for the memory of uploads.
            for case let cached? in [source.cached, key.backdrop?.cached] {
                shares.append(try caches.sources.share(of: cached.source, for: terms.client))
            }
        } catch {
            return .failure(.init(problem: Problem(error), failure: "\(error)"))
        }
        defer { withExtendedLifetime(shares) {} }
        do throws(PipelineError) {
            let result = try await caches.detections.run(job, digest: source.digest, by: deadline, terms)
            let isDamaged = result.plan.source.isDamaged
            if isDamaged, !source.isStandIn, let url = source.url, let cached = source.cached {
                caches.sources.distrust(cached.source, at: url)
            }
            return .success(.init(result: result, degradation: isDamaged ? .damagedSource : nil, failure: nil))
        } catch {
            let failure: String? =
                switch error {
                case .detector(let message), .workerLost(let message): message
                default: nil
                }
            guard case .detector = error, let degraded = job.withoutFaces else {
                return .failure(.init(problem: Problem(error), failure: failure))
            }
            do throws(PipelineError) {
                let result = try await service.run(degraded, by: deadline, terms)
                return .success(.init(result: result, degradation: .noDetection, failure: failure))
            } catch {
                return .failure(.init(problem: Problem(error), failure: failure))
            }
        }
    }

    // MARK: Present

    /// The response to a request whose result was found or computed.
    private func present(
        _ found: ResultCache.Found,
        of job: FrameJob,
        to wanted: PictureRequest,
        _ key: ResponseKey,
        _ caching: CachingHeaders,
        log entry: inout AccessLog.Entry
    ) throws(Problem) -> (response: ServerResponse, plan: FramePlan?) {
        var response: ServerResponse
        var plan: FramePlan?
        switch found {
        case .cached(let picture, let isShared):
            entry.describe(cached: picture)
            response = ResultResponse.image(picture)
            response.headers[.cacheStatus] = CacheStatus.hit(isShared: isShared)
        case .computed(let computed, let isJoined):
            entry.failure = computed.failure
            plan = computed.result.plan
            entry.describe(computed.result, of: job.options, showsCrops: wanted.showsCrops, isJoined: isJoined)
            response = try self.response(with: computed.result, to: wanted, key)
            if wanted.isCacheable, caches.results.isEnabled {
                response.headers[.cacheStatus] = CacheStatus.miss(isJoined: isJoined)
            }
            if !key.source.isStandIn, let degradation = computed.degradation {
                ResultResponse.name(&response, wanted.parameters.download)
                caching.add(to: &response.headers, isDegraded: true)
                response.headers[.headroomDegraded] = degradation.rawValue
                return (response, plan)
            }
        }
        response.headers[.headroomIgnored] = wanted.ignored
        ResultResponse.name(&response, wanted.parameters.download)
        if key.source.isStandIn {
            caching.add(to: &response.headers, isDegraded: true)
            response.headers[.headroomDegraded] = ResultCache.Degradation.missingSource.rawValue
            return (response, plan)
        }
        caching.add(to: &response.headers)
        if job.target.product.isSingleImage, wanted.isIndexable {
            index(response.headers, to: wanted, key, caching)
        }
        return (caching.acceptsAny ? caching.notModified : response, plan)
    }

    /// Adds a response to the response index, so that later requests for the same address find it without parsing their
    /// parameters; without `headers` only the 304 is known.
    ///
    /// Responses to uploads are not added.
    private func index(
        _ headers: HTTPFields?,
        to wanted: PictureRequest,
        _ key: ResponseKey,
        _ caching: CachingHeaders
    ) {
        guard let tag = caching.tag, let (source, _) = key.source.cached,
            let route = Route(path: wanted.request.path)
        else { return }
        var headers = headers
        headers?[.serverTiming] = nil
        headers?[.cacheStatus] = CacheStatus.hit(isShared: false)
        let entry = ResponseIndex.Entry(
            pictureKey: key.digest,
            tag: tag,
            lastModified: caching.lastModified,
            headers: headers,
            headersOfNotModified: caching.notModified.headers,
            preset: wanted.parameters.preset,
            freshUntil: min(source.origin.freshUntil, key.backdrop?.cached?.source.origin.freshUntil ?? .max),
            route: route,
            grant: wanted.grant
        )
        caches.responses.store(entry, for: wanted.request, presets.digest)
    }

    /// The response that presents a result in the negotiated form, without caching fields.
    private func response(
        with result: FrameResult,
        to wanted: PictureRequest,
        _ key: ResponseKey
    ) throws(Problem) -> ServerResponse {
        let (plan, fetch, json) = (result.plan, key.source.fetchTime, "application/json")
        func answer(_ body: [UInt8], _ mediaType: String, decision: String? = nil) -> ServerResponse {
            ResultResponse.body(body, mediaType, decision: decision, of: result, fetch: fetch)
        }
        let decision = plan.crops.first?.decision.description
        switch wanted.negotiation.form {
        case .snippet:
            let snippet = PictureSnippet(
                plan,
                parameters: wanted.parameters,
                signer: wanted.signer,
                below: pathPrefix
            )
            return answer(Array(snippet.html.utf8), "text/html; charset=utf-8", decision: decision)
        case .archive:
            let disposition = "attachment; filename=\"faces.zip\""
            let bytes = try FaceFiles.archive(of: result)
            return ResultResponse.body(bytes, "application/zip", disposition: disposition, of: result, fetch: fetch)
        case .parts:
            let (mediaType, bytes) = FaceFiles.multipart(of: result, boundary: key.boundary)
            return answer(bytes, mediaType)
        case .focus:
            guard let document = FocusDocument(plan) else { break }
            return answer(JSONDocument.bytes(of: document), json, decision: document.decision)
        case .image, .images, .document, .debug: break
        }
        guard let picture = CachedPicture(result, route: wanted.route) else {
            if let presenter = wanted.translation?.presenter {
                return answer(presenter(plan), json, decision: decision)
            }
            let document = PlanDocument(plan, crops: wanted.route != .faces)
            return answer(JSONDocument.bytes(of: document), json, decision: document.decision)
        }
        var response = ResultResponse.image(picture)
        ResultResponse.time(result, fetch: fetch, in: &response.headers)
        return response
    }
}

/// Runs requests that come without HTTP, by the rules of a `POST`.
extension HeadroomHandler: PictureHandler {
    /// The reply to a request, which may be a problem, and the plan of a result.
    package func reply(to job: PipeRequest) async -> PictureReply {
        let request = ServerRequest(method: .post, target: job.path)
        var entry = log.begin(request, route: Route(path: job.path))
        do throws(Problem) {
            let wanted = try PictureRequest(job, as: request, deadline: request.acceptedAt + queueTimeout)
            let (response, plan) = try await response(to: wanted, log: &entry)
            log.write(entry, status: response.status, bytes: response.body.count)
            let document = plan.map { PlanDocument($0, crops: wanted.showsCrops) }
            return PictureReply(status: response.status, headers: response.headers, body: response.body, plan: document)
        } catch {
            _ = log.refuse(error, &entry)
            return error.reply
        }
    }
}
