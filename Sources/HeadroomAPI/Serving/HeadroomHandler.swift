package import FramePipeline
import Framing
package import HTTPServer
package import HTTPTypes
import ImageCodec
package import ImageSource
package import Logging

/// Answers requests: routes them, turns their words into jobs, and results into answers.
package struct HeadroomHandler: HTTPHandler {
    private let service: FrameService
    private let fetcher: ImageFetcher
    private let readiness: Readiness
    private let access: AccessPolicy
    private let crossOrigin: CrossOriginPolicy
    private let caching: CachingPolicy
    private let log: AccessLog
    private let servesMetrics: Bool

    /// A handler that answers with the given service, and /metrics too unless they are served elsewhere.
    package init(
        service: FrameService,
        fetcher: ImageFetcher,
        readiness: Readiness,
        access: AccessPolicy = AccessPolicy(),
        crossOrigin: CrossOriginPolicy = .none,
        caching: CachingPolicy = CachingPolicy(),
        metrics: ServiceMetrics = ServiceMetrics(),
        servesMetrics: Bool = true,
        logger: Logger
    ) {
        self.service = service
        self.fetcher = fetcher
        self.readiness = readiness
        self.access = access
        self.crossOrigin = crossOrigin
        self.caching = caching
        self.servesMetrics = servesMetrics
        log = AccessLog(logger: logger, metrics: metrics)
    }

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

    /// Refuses a request without credentials before its body is received.
    package func refusal(ofHead request: ServerRequest, bodyLength: Int?) -> ServerResponse? {
        guard let route = Route(path: request.path), route.servesPictures,
            [.get, .head, .post].contains(request.method)
        else {
            return nil
        }
        do throws(Problem) {
            let (_, grant) = try admit(request)
            if let bodyLength { try grant.check(bodyLength: bodyLength) }
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
            let (query, grant) = try admit(request)
            entry.describe(grant)
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
    private func admit(_ request: ServerRequest) throws(Problem) -> (query: SignedQuery, grant: Grant) {
        guard !FetchLoop.contains(request.headers) else { throw .fetchLoop }
        let query: SignedQuery
        do {
            query = try SignedQuery(request.query)
        } catch {
            throw Problem(error)
        }
        return (query, try access.grant(request, query: query))
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
        let source = try await source(frameRequest.image, log: &entry)
        let signer = access.linkSigner(for: grant)
        let representation = Representation(
            source: source.bytes,
            parameters: parameters,
            path: request.path,
            negotiation: negotiation,
            detector: service.detectorName,
            signer: signer
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
        let (result, isDegraded) = try await run(job, log: &entry)
        entry.describe(result, showsCrops: route != .faces || [.archive, .parts].contains(negotiation.answer))
        var response = try response(
            to: result,
            parameters: parameters,
            route: route,
            negotiation: negotiation,
            representation: representation,
            signer: signer,
            fetch: source.fetchTime
        )
        if isDegraded {
            headers.addToMakeshift(&response.headers)
        } else if headers.acceptsAny {
            return headers.notModified(cacheControl: freshness)
        } else {
            headers.add(to: &response.headers, cacheControl: freshness)
        }
        return response
    }

    /// Runs a job; where faces cannot be looked for, a crop is made as if there were none, for a page can do with that.
    private func run(
        _ job: FrameJob,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> (result: FrameResult, isDegraded: Bool) {
        do {
            return (try await service.run(job), false)
        } catch {
            switch error {
            case .detector(let message), .workerLost(let message): entry.failure = message
            // The status says so.
            case .cancelled: break
            default: break
            }
            guard case .detector = error, let makeshift = job.withoutFaces else { throw Problem(error) }
            do {
                return (try await service.run(makeshift), true)
            } catch {
                throw Problem(error)
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
        guard let image = result.image else {
            let document = PlanDocument(result.plan, crops: route != .faces)
            return Answer.document(document, of: result, fetch: fetch, isNegotiated: isNegotiated)
        }
        return Answer.image(
            image,
            of: result,
            decision: route == .faces ? nil : result.plan.crops.first?.decision,
            fetch: fetch,
            isNegotiated: isNegotiated
        )
    }

    private func source(
        _ image: FrameRequest.Image,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> PictureSource {
        switch image {
        case .bytes(let bytes):
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
            let start = ContinuousClock.now
            do {
                let image = try await fetcher.fetch(url, traceParent: entry.trace?.traceParent)
                let time = ContinuousClock.now - start
                entry.fetch = time
                return PictureSource(
                    bytes: image.bytes,
                    fetchTime: time,
                    url: url,
                    cacheControl: image.cacheControl
                )
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
