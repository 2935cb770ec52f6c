package import FramePipeline
import Framing
package import HTTPServer
package import HTTPTypes
import ImageCodec
import ImageSource
package import Logging

/// Answers requests: routes them, turns their words into jobs, and results into answers.
package struct HeadroomHandler: HTTPHandler {
    private let service: FrameService
    private var caches: ServiceCaches
    private let readiness: Readiness
    private var access: AccessPolicy
    private var crossOrigin: CrossOriginPolicy
    private let caching: CachingPolicy
    private let queueTimeout: Duration
    private let log: AccessLog
    private let servesMetrics: Bool

    /// A handler that answers with the given service, and /metrics too unless they are served elsewhere.
    ///
    /// Work must have begun when `queueTimeout` after a request is complete has passed; a `url` has to be fetched within
    /// this time too.
    package init(
        service: FrameService,
        caches: ServiceCaches,
        readiness: Readiness,
        access: AccessPolicy = AccessPolicy(),
        crossOrigin: CrossOriginPolicy = .none,
        caching: CachingPolicy = CachingPolicy(),
        queueTimeout: Duration = .seconds(10),
        metrics: ServiceMetrics = ServiceMetrics(),
        servesMetrics: Bool = true,
        logger: Logger
    ) {
        self.service = service
        self.caches = caches
        self.readiness = readiness
        self.access = access
        self.crossOrigin = crossOrigin
        self.caching = caching
        self.queueTimeout = queueTimeout
        self.servesMetrics = servesMetrics
        log = AccessLog(logger: logger, metrics: metrics)
    }

    /// The same handler with other rules of who may ask, and of which hosts may be asked.
    func with(access: AccessPolicy, crossOrigin: CrossOriginPolicy, allowedHosts: [HostPattern]?) -> HeadroomHandler {
        var handler = self
        handler.access = access
        handler.crossOrigin = crossOrigin
        handler.caches = caches.allowing(allowedHosts)
        return handler
    }

    /// What the caches have done, and hold.
    var cacheStatistics: ServiceCaches.Statistics { caches.statistics }

    /// Answers one request; every error becomes a problem.
    package func respond(to request: ServerRequest) async -> ServerResponse {
        let route = route(of: request)
        var entry = log.begin(request, route: route)
        do {
            let response = try await answer(request, route: route, log: &entry)
            log.write(entry, status: response.status, bytes: response.body.count)
            return finished(response, for: request, route: route, id: entry.id)
        } catch {
            return finished(refusal(error, log: &entry), for: request, route: route, id: entry.id)
        }
    }

    private func route(of request: ServerRequest) -> Route? {
        let route = Route(path: request.path)
        return route == .metrics && !servesMetrics ? nil : route
    }

    /// Refuses a request without credentials, or a picture for which there is no time, before its body is received.
    package func refusal(ofHead request: ServerRequest, bodyLength: Int?) -> ServerResponse? {
        guard let route = Route(path: request.path), route.servesPictures,
            [.get, .head, .post].contains(request.method)
        else {
            return nil
        }
        do throws(Problem) {
            let grant = try admit(request)
            _ = try SignedQuery(of: request)
            if let bodyLength { try grant.check(bodyLength: bodyLength) }
            // Parameters may lead to an answer that is there already.
            let mayHoldParameters = RequestBody.isTakenApart(request) && bodyLength ?? .max <= RequestBody.maxJSONBytes
            if !mayHoldParameters, let refusal = service.refusal(by: request.acceptedAt + queueTimeout) {
                throw Problem(refusal)
            }
            return nil
        } catch {
            var entry = log.begin(request, route: route)
            return finished(refusal(error, log: &entry), for: request, route: route, id: entry.id)
        }
    }

    private func refusal(_ problem: Problem, log entry: inout AccessLog.Entry) -> ServerResponse {
        entry.problem = problem.kind
        log.write(entry, status: problem.status, bytes: 0)
        return problem.response
    }

    /// Adds what every answer has; one to what never was a request has no name for it.
    private func finished(
        _ response: ServerResponse,
        for request: ServerRequest?,
        route: Route?,
        id: RequestID?
    ) -> ServerResponse {
        var response = response
        response.headers[.requestID] = id?.description
        ProtectiveHeaders.add(to: &response.headers, isEmbeddable: route?.servesPictures == true)
        crossOrigin.add(to: &response.headers, for: request)
        return response
    }

    /// The server's own refusals, in the shape of every other problem.
    package func refusal(status: HTTPResponse.Status, detail: String) -> ServerResponse {
        let kind: Problem.Kind =
            switch status.code {
            case 413: .tooLarge
            case 503: .overloaded
            case 500: .internalError
            default: .invalidRequest
            }
        var problem = Problem(kind, status, detail)
        if kind == .overloaded { problem.retryAfter = .seconds(1) }
        log.metrics.refused(problem)
        return finished(problem.response, for: nil, route: nil, id: nil)
    }

    private func answer(
        _ request: ServerRequest,
        route: Route?,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> ServerResponse {
        guard let route else {
            let metrics = servesMetrics ? " /metrics" : ""
            let paths = "/frame, /faces, /faces/N (from 1), /healthz, /readyz,\(metrics) and /openapi.yaml"
            throw .nothing(at: request, paths: paths)
        }
        guard route.methods.contains(request.method) else { throw .notAllowed(request.method, at: route) }
        if request.method == .options {
            var response = StatusAnswer.methods(of: route)
            crossOrigin.addPreflight(to: &response.headers, for: request, methods: route.methods)
            return response
        }
        switch route {
        case .frame, .faces, .face:
            let grant = try admit(request)
            entry.describe(grant)
            if let (ready, picture) = caches.ready.answer(to: request, grant) {
                entry.describe(ready: picture)
                var response = ready
                grant.limitCaching(of: &response.headers, now: access.now())
                return response
            }
            let query = try SignedQuery(of: request)
            let frameRequest = try FrameRequest(request, query: query, grant: grant, known: route.parameters)
            do throws(Problem) {
                var response = try await pictureAnswer(request, frameRequest, route: route, grant: grant, log: &entry)
                grant.limitCaching(of: &response.headers, now: access.now())
                return response
            } catch {
                var problem = error
                if var headers = problem.caching {
                    grant.limitCaching(of: &headers, now: access.now())
                    problem.caching = headers
                }
                throw problem
            }
        case .health: return StatusAnswer.alive
        case .readiness: return readiness.answer(for: service)
        case .metrics: return StatusAnswer.metrics(log.metrics)
        case .openAPI: return StatusAnswer.openAPI
        }
    }

    /// Finds out why a request for a picture may be answered.
    private func admit(_ request: ServerRequest) throws(Problem) -> Grant {
        guard !FetchLoop.contains(request.headers) else { throw .fetchLoop }
        return try access.grant(request)
    }

    private func pictureAnswer(
        _ request: ServerRequest,
        _ frameRequest: FrameRequest,
        route: Route,
        grant: Grant,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> ServerResponse {
        let parameters = frameRequest.parameters
        let negotiation = Negotiation(parameters.format, accept: request.headers[.accept], route: route)
        if let error = route.refusal(of: parameters, answer: negotiation.answer) {
            throw Problem(ParameterErrors(all: [error]))
        }
        if parameters.aspects.count > 1, ![.document, .snippet].contains(negotiation.answer) {
            let error = ParameterError(
                name: ParameterName.aspect.rawValue,
                received: parameters.aspects.map { $0?.text ?? "" }.joined(separator: ","),
                expected: "one ratio for an image; several are for format=json and format=html"
            )
            throw Problem(ParameterErrors(all: [error]))
        }
        let deadline = request.completedAt + queueTimeout
        let source = try await source(frameRequest.image, by: deadline, log: &entry)
        let representation = Representation(
            source: source,
            parameters: parameters,
            path: request.path,
            negotiation: negotiation,
            detector: service.detectorName,
            signer: access.linkSigner(for: grant)
        )
        let headers = CachingHeaders(
            request,
            representation,
            labels: source.url.map(SourceLabels.init),
            isNegotiated: negotiation.dependsOnAccept
        )
        let isVersioned = grant.isSigned || parameters.given[.version] != nil
        let freshness = caching.value(isVersioned: isVersioned, origin: source.cacheControl)
        if headers.isKnown { return headers.notModified(cacheControl: freshness) }
        let job = negotiation.job(source: source.bytes, parameters: parameters, route: route)
        let found = try await found(
            job,
            source,
            representation,
            route: route,
            by: deadline,
            isKept: headers.tag != nil,
            log: &entry
        )
        var response: ServerResponse
        switch found {
        case .kept(let picture, let isShared):
            entry.describe(ready: picture)
            response = Answer.image(picture, isNegotiated: negotiation.dependsOnAccept)
            response.headers[.cacheStatus] = CacheStatus.hit(isShared: isShared)
        case .made(let made, let isJoined):
            entry.failure = made.failure
            let showsCrops = route != .faces || [.archive, .parts].contains(negotiation.answer)
            entry.describe(made.result, showsCrops: showsCrops, isJoined: isJoined)
            response = try self.response(
                to: made.result,
                parameters: parameters,
                route: route,
                negotiation: negotiation,
                representation: representation,
                signer: access.linkSigner(for: grant),
                fetch: source.fetchTime
            )
            if headers.tag != nil, caches.results.isEnabled {
                response.headers[.cacheStatus] = CacheStatus.miss(isJoined: isJoined)
            }
            if made.isDegraded {
                headers.addToMakeshift(&response.headers)
                return response
            }
        }
        let notModified = headers.notModified(cacheControl: freshness)
        headers.add(to: &response.headers, cacheControl: freshness)
        if job.answersWithPicture, let tag = headers.tag, let (source, _) = source.kept {
            var ready = response.headers
            ready[.serverTiming] = nil
            ready[.cacheStatus] = CacheStatus.hit(isShared: false)
            let answer = ReadyAnswers.Answer(
                key: representation.digest,
                tag: tag,
                headers: ready,
                headersOfNotModified: notModified.headers,
                freshUntil: source.origin.freshUntil
            )
            caches.ready.keep(answer, for: request, grant)
        }
        return headers.acceptsAny ? notModified : response
    }

    /// A result for a job, made now or before; `isKept` says whether equal requests will have the same one, which is not so
    /// with an upload, as that hardly comes twice.
    private func found(
        _ job: FrameJob,
        _ source: PictureSource,
        _ representation: Representation,
        route: Route,
        by deadline: ContinuousClock.Instant,
        isKept: Bool,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> ResultCache.Found {
        do throws(ResultCache.Refused) {
            guard isKept else { return .made(try await made(job, source, by: deadline).get(), isJoined: false) }
            var picture: (@Sendable (FrameResult) -> KeptPicture?)?
            if job.answersWithPicture { picture = { result in KeptPicture(result, route: route) } }
            return try await caches.results.result(for: representation.digest, picture: picture) {
                await made(job, source, by: deadline)
            }
        } catch {
            entry.failure = error.failure
            throw error.problem
        }
    }

    /// Runs a job; where faces cannot be looked for, a crop is made as if there were none, for a page can do with that.
    private func made(
        _ job: FrameJob,
        _ source: PictureSource,
        by deadline: ContinuousClock.Instant
    ) async -> Result<ResultCache.Made, ResultCache.Refused> {
        do throws(PipelineError) {
            let result = try await caches.detections.run(job, digest: source.digest, by: deadline)
            return .success(.init(result: result, isDegraded: false, failure: nil))
        } catch {
            let failure: String? =
                switch error {
                case .detector(let message), .workerLost(let message): message
                default: nil
                }
            guard case .detector = error, let makeshift = job.withoutFaces else {
                return .failure(.init(problem: Problem(error), failure: failure))
            }
            do throws(PipelineError) {
                let result = try await service.run(makeshift, by: deadline)
                return .success(.init(result: result, isDegraded: true, failure: failure))
            } catch {
                return .failure(.init(problem: Problem(error), failure: failure))
            }
        }
    }

    private func response(
        to result: FrameResult,
        parameters: FrameParameters,
        route: Route,
        negotiation: Negotiation,
        representation: Representation,
        signer: LinkSigner?,
        fetch: Duration?
    ) throws(Problem) -> ServerResponse {
        let isNegotiated = negotiation.dependsOnAccept
        switch negotiation.answer {
        case .snippet:
            let snippet = PictureSnippet(result.plan, parameters: parameters, signer: signer)
            return Answer.snippet(snippet, of: result, fetch: fetch)
        case .archive:
            return try Answer.archive(of: result, fetch: fetch, isNegotiated: isNegotiated)
        case .parts:
            return Answer.parts(of: result, boundary: representation.boundary, fetch: fetch, isNegotiated: isNegotiated)
        case .image, .document, .debug: break
        }
        guard let picture = KeptPicture(result, route: route) else {
            let document = PlanDocument(result.plan, crops: route != .faces)
            return Answer.document(document, of: result, fetch: fetch, isNegotiated: isNegotiated)
        }
        var response = Answer.image(picture, isNegotiated: isNegotiated)
        Answer.time(result, fetch: fetch, in: &response.headers)
        return response
    }

    private func source(
        _ image: FrameRequest.Image,
        by deadline: ContinuousClock.Instant,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> PictureSource {
        switch image {
        case .bytes(let bytes):
            // Others have come since its head was there.
            if let refusal = service.refusal(by: deadline) { throw Problem(refusal) }
            return PictureSource(bytes: bytes)
        case .url(let text):
            let url: SourceURL
            do {
                url = try SourceURL(text)
            } catch {
                entry.failure = "\(error)"
                guard case .invalidURL(let reason) = error else { throw Problem(error) }
                let name = ParameterName.url.rawValue
                let expected = "the http or https address of an image; \(reason)"
                throw Problem(ParameterErrors(all: [.init(name: name, received: text, expected: expected)]))
            }
            // Nothing is asked of an origin that could not be used afterwards.
            if !caches.sources.knows(url), let refusal = service.refusal(by: deadline) { throw Problem(refusal) }
            let start = ContinuousClock.now
            do {
                let (source, use) = try await caches.sources.source(
                    url,
                    by: deadline,
                    traceParent: entry.trace?.traceParent
                )
                let time = ContinuousClock.now - start
                entry.describe(use, after: time)
                return PictureSource(bytes: source.bytes, fetchTime: time, url: url, kept: (source, use))
            } catch {
                entry.fetch = .now - start
                entry.failure = "\(error)"
                var problem = Problem(error)
                if problem.kind == .sourceNotFound { problem.caching = SourceLabels(url).headersOfAbsence }
                throw problem
            }
        }
    }
}
