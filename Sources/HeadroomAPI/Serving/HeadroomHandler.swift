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
    private let log: AccessLog

    /// A handler that answers with the given service.
    package init(service: FrameService, fetcher: ImageFetcher, readiness: Readiness, logger: Logger) {
        self.service = service
        self.fetcher = fetcher
        self.readiness = readiness
        log = AccessLog(logger: logger)
    }

    /// Answers one request; every error becomes a problem.
    package func respond(to request: ServerRequest) async -> ServerResponse {
        let route = Route(path: request.path)
        var entry = AccessLog.Entry(request, route: route)
        do {
            let response = try await answer(request, route: route, log: &entry)
            log.write(entry, status: response.status, bytes: response.body.count)
            return response
        } catch {
            entry.problem = error.kind.rawValue
            log.write(entry, status: error.status, bytes: 0)
            return error.response
        }
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
        return problem.response
    }

    private func answer(
        _ request: ServerRequest,
        route: Route?,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> ServerResponse {
        guard let route else {
            throw Problem(
                .notFound,
                .notFound,
                "There is no \(request.path.prefix(100)); there are /frame, /faces, /faces/N (from 1), /healthz, /readyz and "
                    + "/openapi.yaml."
            )
        }
        guard route.methods.contains(request.method) else {
            let allowed = route.methods.map(\.rawValue).joined(separator: ", ")
            var problem = Problem(
                .methodNotAllowed,
                .methodNotAllowed,
                "\(request.method.rawValue) is not allowed here; \(allowed) are."
            )
            problem.allowed = route.methods
            throw problem
        }
        if request.method == .options {
            let allowed = route.methods.map(\.rawValue).joined(separator: ", ")
            return ServerResponse(status: .noContent, headers: [.allow: allowed])
        }
        switch route {
        case .frame, .faces, .face: return try await pictureAnswer(request, route: route, log: &entry)
        case .health: return StatusAnswer.alive
        case .readiness: return readiness.answer(isSaturated: service.isSaturated, hasWorkers: service.hasWorkers)
        case .openAPI: return StatusAnswer.openAPI
        }
    }

    private func pictureAnswer(
        _ request: ServerRequest,
        route: Route,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> ServerResponse {
        let frameRequest = try FrameRequest(request, known: route.parameters)
        let parameters = frameRequest.parameters
        let negotiation = Negotiation(parameters.format, accept: request.headers[.accept], route: route)
        if let error = route.refusal(of: parameters) { throw Problem(ParameterErrors(all: [error])) }
        if parameters.aspects.count > 1, ![.document, .snippet].contains(negotiation.answer) {
            let error = ParameterError(
                name: ParameterName.aspect.rawValue,
                received: parameters.aspects.map { $0?.text ?? "" }.joined(separator: ","),
                expected: "one ratio for an image; several are for format=json and format=html"
            )
            throw Problem(ParameterErrors(all: [error]))
        }
        let (source, fetchTime) = try await bytes(of: frameRequest.image, log: &entry)
        let job = negotiation.job(source: source, parameters: parameters, route: route)
        let result: FrameResult
        do {
            result = try await service.run(job)
        } catch {
            switch error {
            case .detector(let message), .workerLost(let message): entry.failure = message
            case .cancelled: entry.failure = "the client has left"
            default: break
            }
            throw Problem(error)
        }
        entry.describe(result, fetch: fetchTime)
        if negotiation.answer == .snippet {
            return Answer.snippet(PictureSnippet(result.plan, parameters: parameters), of: result, fetch: fetchTime)
        }
        if negotiation.answer == .archive {
            return try Answer.archive(of: result, fetch: fetchTime, isNegotiated: negotiation.dependsOnAccept)
        }
        guard let image = result.image else {
            let document = PlanDocument(result.plan, crops: route != .faces)
            return Answer.document(
                document,
                of: result,
                fetch: fetchTime,
                isNegotiated: negotiation.dependsOnAccept
            )
        }
        return Answer.image(
            image,
            of: result,
            decision: route == .faces ? nil : result.plan.crops.first?.decision,
            fetch: fetchTime,
            isNegotiated: negotiation.dependsOnAccept
        )
    }

    private func bytes(
        of image: FrameRequest.Image,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> (bytes: [UInt8], duration: Duration?) {
        switch image {
        case .bytes(let bytes):
            return (bytes, nil)
        case .url(let text):
            let start = ContinuousClock.now
            do {
                let image = try await fetcher.fetch(try SourceURL(text))
                return (image.bytes, .now - start)
            } catch {
                entry.failure = "\(error)"
                if case .invalidURL(let reason) = error {
                    let name = ParameterName.url.rawValue
                    let expected = "the http or https address of an image; \(reason)"
                    throw Problem(ParameterErrors(all: [.init(name: name, received: text, expected: expected)]))
                }
                throw Problem(error)
            }
        }
    }
}
