import Fetching
package import HTTPServer
import HTTPTypes
package import HeadroomAPI
import Imaging
import Logging
import Pipeline
import Requests
package import Telemetry
import Workers

/// The live streams of a service: `/stream`.
package struct LiveStreams: StreamServer {
    private let places: StreamLimiter
    private let metrics: StreamMetrics

    /// A server without streams.
    ///
    /// - Parameters:
    ///   - configuration: The limits of streams.
    ///   - registry: Receives the metrics.
    package init(_ configuration: StreamConfiguration, _ registry: PrometheusRegistry) {
        let places = StreamLimiter(configuration)
        self.places = places
        metrics = StreamMetrics(registry)
        registry.read(StreamMetrics.places) { places }
    }

    /// All metrics that a server has; tests compare the documents with them.
    package static var allMetrics: [MetricDescription] {
        let registry = PrometheusRegistry()
        _ = StreamMetrics(registry)
        return registry.descriptions + StreamMetrics.places.map(\.description)
    }

    package var isServed: Bool { places.configuration.maxStreams > 0 }

    package func receiver(of call: StreamCall) -> any BodyReceiver {
        StreamInput(places.configuration, limits: frameLimits(call), maxBytes: call.authorization.limits?.maxUpload)
    }

    /// The limits of a stream's frames.
    private func frameLimits(_ call: StreamCall) -> MJPEGSplitter.Limits {
        var limits = MJPEGSplitter.Limits()
        let decode = call.service.limits.decode
        limits.frameBytes = StreamConfiguration.maxFrameBytes
        limits.side = min(limits.side, decode.maxSide)
        limits.pixels = min(limits.pixels, decode.maxPixels, call.authorization.tenant?.pixelLimit ?? .max)
        return limits
    }

    package func response(
        to call: StreamCall,
        log entry: inout AccessLog.Entry
    ) async throws(Problem) -> ServerResponse {
        let (request, authorization) = (call.request, call.authorization)
        guard authorization.limits?.digest == nil else { throw .streamWithDigest }
        let wanted = try StreamRequest(request, call.presets, allowed: authorization.tenant?.allowedPresets)
        entry.image.preset = wanted.preset
        let camera: SourceURL? = if let text = wanted.url { try self.camera(text, call, &entry.image) } else { nil }
        var headers: HTTPFields = [.cacheControl: "no-store"]
        headers[.contentType] = wanted.isPlan ? "application/x-ndjson" : "multipart/x-mixed-replace"
        if request.method == .head { return ServerResponse(status: .ok, headers: headers) }
        let holder = StreamLimiter.Holder(network: request.client.network, credential: call.credential)
        if let camera, let reason = authorization.tenant?.fetchLimits.refusal(of: camera) {
            throw Problem(.blocked(reason))
        }
        if let refusal = places.take(holder) { throw .tooManyStreams(refusal) }
        let (input, fetch): (StreamInput, Task<Void, Never>?)
        do throws(Problem) {
            (input, fetch) = try self.input(from: camera, call, trace: entry.trace?.traceParent)
        } catch {
            places.release(holder)
            throw error
        }
        let session = StreamSession(wanted, input, call.service, call.limits, metrics)
        let id = entry.id
        let close: @Sendable () -> Void = { self.close(session, fetch, holder, id, call.logger) }
        // Planning with a long look-ahead takes milliseconds, which would block all other connections of the event
        // loop.
        let executor = globalConcurrentExecutor
        guard await withTaskExecutorPreference(executor, operation: { await session.begin() }) else {
            entry.image.failure = input.inbox.end.map { "\($0)" }
            defer { close() }
            let end = input.inbox.end ?? .left
            var problem = Problem(end, isUpload: wanted.url == nil)
            if let camera, case .failed(let error) = end {
                problem.add(error, of: camera, isForLocalClient: request.isFromPrivateNetwork)
            }
            throw problem
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

    private func camera(
        _ text: String,
        _ call: StreamCall,
        _ record: inout ImageRecord
    ) throws(Problem) -> SourceURL {
        let url = try call.fetcher.url(text, &record)
        record.describe(url)
        guard case .web = url else { throw Problem(.invalidURL("a camera requires an http or https URL.")) }
        return url
    }

    /// The input of a stream: the body of the request, or the bytes that a camera sends.
    private func input(
        from camera: SourceURL?,
        _ call: StreamCall,
        trace: String?
    ) throws(Problem) -> (StreamInput, Task<Void, Never>?) {
        guard let camera else {
            guard let input = call.request.bodyReceiver as? StreamInput else { throw .streamWithoutBody }
            return (input, nil)
        }
        let input = StreamInput(places.configuration, limits: frameLimits(call))
        let sink = BodySink(idleTime: places.configuration.idleTime) { input.receive($0) }
        let fetcher = call.fetcher
        let limits = call.authorization.tenant?.fetchLimits ?? FetchLimits()
        let client = call.limits.client
        let task = Task.detached {
            do throws(FetchError) {
                try await fetcher.stream(
                    camera,
                    traceParent: trace,
                    for: client,
                    limits,
                    by: input.deadline,
                    into: sink
                )
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
        _ id: RequestID,
        _ logger: Logger
    ) {
        let input = session.input
        input.inbox.finish(.left)
        fetch?.cancel()
        places.release(holder)
        let end = input.inbox.end
        metrics.ended(end, dropped: input.inbox.dropped, damaged: input.damaged)
        logger.info(
            "stream ended",
            metadata: [
                "id": "\(id)", "reason": "\(end?.word ?? "")", "dropped": "\(input.inbox.dropped)",
                "damaged": "\(input.damaged)", "seconds": "\(Int(input.age / .seconds(1)))",
            ]
        )
    }
}
