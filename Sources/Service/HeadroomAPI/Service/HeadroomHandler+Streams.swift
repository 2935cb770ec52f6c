import Fetching
package import HTTPServer
import HTTPTypes
import Imaging
import Logging
import Pipeline
import Requests
import Workers

extension HeadroomHandler {
    /// Receives the body of an upload to `/stream` while it arrives.
    package func bodyReceiver(for request: ServerRequest) -> (any BodyReceiver)? {
        guard route(of: request) == .stream, request.method == .post, let grant = try? admit(request, route: .stream)
        else { return nil }
        return StreamInput(streams.configuration, limits: frameLimits(grant), maxBytes: grant.terms?.maxUpload)
    }

    /// The limits of a stream's frames.
    private func frameLimits(_ grant: Grant) -> MJPEGSplitter.Limits {
        var limits = MJPEGSplitter.Limits()
        limits.frameBytes = StreamConfiguration.maxFrameBytes
        limits.side = min(limits.side, service.limits.decode.maxSide)
        limits.pixels = min(limits.pixels, service.limits.decode.maxPixels, grant.tenant?.pixelLimit ?? .max)
        return limits
    }

    /// The response to a request for a stream, once its first frame is ready.
    ///
    /// - Throws: A ``Problem`` when the request is not valid, all places are taken, or no frame comes.
    func streamResponse(
        to request: ServerRequest,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> ServerResponse {
        let grant = try admit(request, route: .stream)
        entry.grant = grant
        try await takeAllowance(grant)
        guard grant.terms?.digest == nil else { throw .streamWithDigest }
        let wanted = try StreamRequest(request, presets, allowed: grant.tenant?.allowedPresets)
        entry.preset = wanted.preset
        let camera: SourceURL? = if let text = wanted.url { try self.camera(text, log: &entry) } else { nil }
        var headers: HTTPFields = [.cacheControl: "no-store"]
        headers[.contentType] = wanted.isPlan ? "application/x-ndjson" : "multipart/x-mixed-replace"
        if request.method == .head { return ServerResponse(status: .ok, headers: headers) }
        let holder = StreamLimiter.Holder(
            network: request.client.network,
            credential: access.isShared ? grant.credential : nil
        )
        if let camera, let reason = grant.tenant?.fetchTerms.refusal(of: camera) { throw Problem(.blocked(reason)) }
        if let refusal = streams.take(holder) { throw .tooManyStreams(refusal) }
        let (input, fetch): (StreamInput, Task<Void, Never>?)
        do throws(Problem) {
            (input, fetch) = try self.input(from: camera, request, grant, trace: entry.trace?.traceParent)
        } catch {
            streams.release(holder)
            throw error
        }
        let session = StreamSession(wanted, input, service, jobTerms(grant, for: request.client), streamMetrics)
        let id = entry.id
        let close: @Sendable () -> Void = { self.close(session, fetch, holder, id) }
        // Plans with a long look-ahead take milliseconds, in which the event loop would serve no other connection.
        let executor = globalConcurrentExecutor
        guard await withTaskExecutorPreference(executor, operation: { await session.begin() }) else {
            entry.failure = input.inbox.end.map { "\($0)" }
            defer { close() }
            throw Problem(input.inbox.end ?? .left, isUpload: wanted.url == nil)
        }
        if !wanted.isPlan { headers[.contentType] = "multipart/x-mixed-replace; boundary=\(session.boundary)" }
        var response = ServerResponse(status: .ok, headers: headers)
        response.stream = ResponseStream(
            next: { await withTaskExecutorPreference(executor) { await session.next() } },
            finish: { input.inbox.finish(.shutdown) },
            close: close
        )
        return response
    }

    private func camera(_ text: String, log entry: inout AccessLog.Entry) throws(Problem) -> SourceURL {
        let url = try url(text, log: &entry)
        entry.describe(url)
        guard case .web = url else { throw Problem(.invalidURL("a camera has an http or https address.")) }
        return url
    }

    /// The input of a stream: the body of the request, or the bytes that a camera sends.
    private func input(
        from camera: SourceURL?,
        _ request: ServerRequest,
        _ grant: Grant,
        trace: String?
    ) throws(Problem) -> (StreamInput, Task<Void, Never>?) {
        guard let camera else {
            guard let input = request.bodyReceiver as? StreamInput else { throw .streamWithoutBody }
            return (input, nil)
        }
        let input = StreamInput(streams.configuration, limits: frameLimits(grant))
        let sink = BodySink(idleTime: streams.configuration.idleTime) { input.receive($0) }
        let fetcher = caches.fetcher
        let terms = grant.tenant?.fetchTerms ?? FetchTerms()
        let task = Task.detached {
            do throws(FetchError) {
                try await fetcher.stream(camera, traceParent: trace, terms, by: input.deadline, into: sink)
                input.end(isComplete: true)
            } catch {
                input.inbox.finish(.failed(error))
            }
        }
        return (input, task)
    }

    /// Ends the input of a stream, releases its place, and records its end.
    private func close(
        _ session: StreamSession,
        _ fetch: Task<Void, Never>?,
        _ holder: StreamLimiter.Holder,
        _ id: RequestID
    ) {
        let input = session.input
        input.inbox.finish(.left)
        fetch?.cancel()
        streams.release(holder)
        let end = input.inbox.end
        streamMetrics.ended(end, dropped: input.inbox.dropped, damaged: input.damaged)
        log.logger.info(
            "stream ended",
            metadata: [
                "id": "\(id)", "reason": "\(end?.word ?? "")", "dropped": "\(input.inbox.dropped)",
                "damaged": "\(input.damaged)", "seconds": "\(Int(input.age / .seconds(1)))",
            ]
        )
    }
}
