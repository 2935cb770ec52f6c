import Fetching
import HTTPServer
import HTTPTypes
import Pipeline
import Requests

extension HeadroomHandler {
    /// Reads an admitted request for an image of this service.
    ///
    /// - Throws: A ``Problem`` with status 400, 403, 413, 415 or 503.
    func imageCall(
        _ request: ServerRequest,
        route: ImageRoute,
        _ authorization: Authorization
    ) async throws(Problem) -> ImageCall {
        let (jobLimits, deadline) = (jobLimits(authorization, for: request.client), deadline(of: request))
        var body: RequestBody?
        if request.method == .post {
            let maxBytes = min(maxBodyBytes, authorization.limits?.maxUpload ?? .max)
            let limits = ContentCoding.Limits(
                maxBytes: maxBytes,
                budget: images.caches.fetcher.budget,
                client: jobLimits.client
            )
            body = try await bodies.body(of: request, authorization, limits, jobLimits, by: deadline)
        }
        var call = try ImageCall(
            request,
            route: route,
            authorization: authorization,
            signer: settings.access.linkSigner(for: authorization),
            settings: settings,
            body: body,
            deadline: deadline
        )
        call.image.limits = jobLimits
        return call
    }

    /// Translates an admitted request in a URL format.
    ///
    /// - Throws: A ``Problem`` of the URL format, or with status 400.
    func imageCall(
        _ request: ServerRequest,
        in name: URLFormatName,
        _ urlFormat: any URLFormat,
        _ authorization: Authorization
    ) throws(Problem) -> ImageCall {
        let address = ForeignURL(name, path: request.path, query: request.query)
        let translation = try urlFormat.translate(address).adaptedToVideo
        var authorization = authorization
        if let expires = translation.expires {
            guard settings.access.now() <= expires else { throw urlFormat.expired }
            if case .signature(let key, _, let tenant) = authorization {
                authorization = .signature(key: key, SignatureLimits(expires: expires), tenant: tenant)
            }
        }
        return try imageCall(request, translation, in: name, authorization)
    }

    /// Returns the call without the option that caused a problem, if the other service would ignore the option;
    /// otherwise nil.
    ///
    /// - Throws: A ``Problem`` with status 400.
    func relaxed(_ call: ImageCall, in name: URLFormatName, after problem: Problem) throws(Problem) -> ImageCall? {
        guard let urlFormat = settings.urlFormats[name], let translation = call.image.translation,
            let relaxed = urlFormat.relaxed(translation, after: problem)
        else { return nil }
        return try imageCall(call.request, relaxed, in: name, call.authorization)
    }

    private func imageCall(
        _ request: ServerRequest,
        _ translation: Translation,
        in name: URLFormatName,
        _ authorization: Authorization
    ) throws(Problem) -> ImageCall {
        let deadline = deadline(of: request)
        var call = try ImageCall(
            request,
            translation,
            in: name,
            authorization: authorization,
            defaults: settings.defaults,
            deadline: deadline
        )
        call.image.limits = jobLimits(authorization, for: request.client)
        return call
    }

    /// Returns the deadline for the start of work on the image of a request.
    private func deadline(of request: ServerRequest) -> ContinuousClock.Instant {
        request.completedAt + images.queueTimeout
    }
}
