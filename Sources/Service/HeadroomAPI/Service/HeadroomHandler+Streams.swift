package import HTTPServer
import HTTPTypes

extension HeadroomHandler {
    /// Returns a receiver for the body of an upload to `/stream`.
    package func bodyReceiver(for request: ServerRequest) -> (any BodyReceiver)? {
        guard let streams, route(of: request) == Route.stream, request.method == .post,
            let authorization = try? admit(request, route: .stream)
        else { return nil }
        return streams.receiver(of: call(request, authorization))
    }

    /// Returns the response to a request for a stream.
    ///
    /// - Throws: A ``Problem`` when the request is rejected, or an error of the stream server.
    func streamResponse(
        to request: ServerRequest,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> ServerResponse {
        guard let streams else { throw Problem(.notFound, .notFound, "This service does not serve streams.") }
        let authorization = try admit(request, route: .stream)
        entry.authorization = authorization
        try await takeAllowance(authorization)
        return try await streams.response(to: call(request, authorization), log: &entry)
    }

    private func call(_ request: ServerRequest, _ authorization: Authorization) -> StreamCall {
        StreamCall(
            request: request,
            authorization: authorization,
            credential: settings.access.isShared ? authorization.credential : nil,
            presets: settings.presets,
            service: images.workers,
            limits: jobLimits(authorization, for: request.client),
            fetcher: images.caches.fetcher,
            logger: log.logger
        )
    }
}
