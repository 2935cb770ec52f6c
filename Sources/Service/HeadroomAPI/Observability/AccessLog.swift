package import Fetching
import Framing
import Geometry
import HTTPServer
import HTTPTypes
import Imaging
import Logging
import Pipeline
import Requests
import Telemetry

/// Records the start and the end of each request: one log line, and the metrics.
///
/// The line has no target and no header field of the request, because these may contain secrets.
package struct AccessLog {
    /// The logged status of a request whose client disconnected first, as in nginx; it is never sent.
    static let clientLeft = 499

    let logger: Logger
    let metrics: ServiceMetrics
    /// Exports spans; nil for no export.
    private let tracer: RequestTracer?
    /// The logger's own handler, if it takes fields without a dictionary of metadata.
    private let lines: LineLogHandler?

    init(logger: Logger, metrics: ServiceMetrics, tracer: RequestTracer? = nil) {
        self.logger = logger
        self.metrics = metrics
        self.tracer = tracer
        lines = (logger.handler as? LineLogHandler).flatMap { $0.metadata.isEmpty ? $0 : nil }
    }

    /// The data of a request that the log line and the metrics use.
    package struct Entry {
        package let id: RequestID
        /// The trace of the request, if any.
        package let trace: TraceContext?
        /// Whether the spans of the request are exported.
        private let exportsSpans: Bool
        let route: String
        /// The method, or `other`.
        let method: String

        /// The name of the preset; nil without one.
        package var preset: String?
        var problem: Problem.Kind?
        /// The internal cause of a failure, which the response does not contain.
        package var failure: String?
        /// The duration of the fetch, successful or not.
        var fetch: Duration?
        fileprivate(set) var times: StageTimes?
        fileprivate(set) var decisions: [Decision] = []
        /// The number of faces; nil without detection.
        fileprivate(set) var faces: Int?
        /// The detectors that found each face, for the request that ran the search.
        fileprivate(set) var finders: [Face.Finders] = []

        /// The format of the source, for the request that ran the job.
        fileprivate(set) var sourceFormat: SourceFormat?
        /// The formats of the encoded pictures, for the request that ran the job.
        fileprivate(set) var formats: [ImageFormat] = []
        /// The requested effects besides the crop, for the request that ran the job.
        fileprivate(set) var effects: [PictureEffect] = []

        /// A fetch of the source or the backdrop.
        struct Fetch {
            let spanID: String
            let start: ContinuousClock.Instant
            let end: ContinuousClock.Instant
            let host: String?
            let use: String?
            let failure: String?
        }

        /// The fetches of sources that were not cached or not fresh, including failed ones.
        fileprivate(set) var fetches: [Fetch] = []
        /// The span of a fetch that is in progress, and its beginning.
        private var openFetch: (spanID: String, start: ContinuousClock.Instant)?
        /// The end of the job, for the request that ran it.
        fileprivate(set) var jobEnd: ContinuousClock.Instant?

        /// Time at which the request's header was complete.
        let start: ContinuousClock.Instant
        /// The address of the connection.
        fileprivate let peer: PeerAddress
        /// The client behind a trusted proxy.
        fileprivate let client: PeerAddress?
        var grant = Grant.everyone
        fileprivate var source: PixelSize?
        fileprivate var origin: SourceCache.Use?
        fileprivate(set) var scheme: String?
        /// The host or the bucket of the source; after a failure that of the source or the backdrop that failed.
        fileprivate(set) var host: String?
        /// `hit` or `joined`; nil for a computed result.
        fileprivate(set) var cache: String?

        fileprivate init(_ request: ServerRequest, route: Route?, _ tracer: RequestTracer?) {
            id = RequestID(request.headers)
            trace = tracer.map { $0.context(request.headers) } ?? TraceContext(request.headers)
            exportsSpans = tracer?.exporter.takesSpans == true && trace?.isSampled == true
            start = request.acceptedAt
            client = request.proxy == nil ? nil : request.client
            peer = request.proxy ?? request.client
            self.route = route?.name ?? Route.unknownName
            let isKnown = [.get, .head, .post, .options].contains(request.method)
            method = isKnown ? request.method.rawValue : "other"
        }

        /// Records the kind of the source's URL, and its host.
        package mutating func describe(_ url: SourceURL) {
            scheme = url.scheme
            host = url.place
        }

        /// Begins a fetch.
        ///
        /// - Returns: Its `traceparent`; nil without a trace. The parent is the span of the request, unless the fetch
        ///   is exported as a span of its own.
        mutating func beginFetch() -> String? {
            guard exportsSpans, let trace else { return trace?.traceParent }
            let spanID = TraceContext.newSpanID()
            openFetch = (spanID, .now)
            return trace.traceParent(of: spanID)
        }

        /// Ends a fetch; it gets no span if the source was cached and fresh.
        mutating func endFetch(of url: SourceURL, _ use: SourceCache.Use?, failure: String? = nil) {
            guard let (spanID, start) = openFetch else { return }
            openFetch = nil
            guard use != .kept else { return }
            let (host, use) = (url.place, use?.rawValue)
            fetches.append(Fetch(spanID: spanID, start: start, end: .now, host: host, use: use, failure: failure))
        }

        /// Restores the failure and the host of an entry from before the fetch of a stand-in.
        mutating func keepFailure(of entry: Entry) {
            failure = entry.failure
            scheme = entry.scheme
            host = entry.host
            fetch = entry.fetch
        }

        mutating func describe(_ error: FetchError, of url: SourceURL) {
            host = url.place
            failure = "\(error)"
            endFetch(of: url, nil, failure: failure)
        }

        /// Records how the source was obtained, and how long that took.
        mutating func describe(_ use: SourceCache.Use, after time: Duration) {
            origin = use
            if use != .kept { fetch = time }
        }

        /// Records a cache hit; `picture` is nil for a 304.
        mutating func describe(cached picture: CachedPicture?) {
            decisions = picture?.head.decision.map { [$0] } ?? []
            faces = picture?.head.faces
            cache = "hit"
        }

        /// Records a result, and its decisions if the response shows crops.
        ///
        /// Stage times are recorded only for the request that ran the job.
        mutating func describe(_ result: FrameResult, of options: FrameOptions, showsCrops: Bool, isJoined: Bool) {
            if isJoined {
                cache = "joined"
            } else {
                times = result.times
                jobEnd = .now
                sourceFormat = result.plan.source.format
                formats = ([result.image].compactMap(\.self) + result.images).map(\.format)
                effects = PictureEffect.all(of: options)
            }
            decisions = showsCrops ? result.plan.crops.map(\.decision) : []
            faces = result.plan.detector == nil ? nil : result.plan.faces.count
            if !isJoined, result.plan.detector?.isKnown == false { finders = result.plan.faces.map(\.finders) }
            source = result.plan.source.size
        }
    }

    /// Records the start of a request; ``write(_:status:bytes:)`` records its end.
    func begin(_ request: ServerRequest, route: Route?) -> Entry {
        metrics.begin()
        return Entry(request, route: route, tracer)
    }

    func write(_ entry: Entry, status: HTTPResponse.Status, bytes: Int) {
        let duration = ContinuousClock.now - entry.start
        // The server discards the response when it has cancelled the request's task.
        let isDropped = Task.isCancelled
        var entry = entry
        if isDropped { entry.problem = nil }
        let (status, bytes) = isDropped ? (Self.clientLeft, 0) : (status.code, bytes)
        metrics.end(entry, status: status, bytes: bytes, after: duration)
        tracer?.finish(entry, status: status, bytes: bytes, after: duration)
        guard logger.logLevel <= .info else { return }
        let fields = Self.fields(entry, status: status, bytes: bytes, after: duration)
        if let lines {
            lines.write("request", fields, level: .info)
        } else {
            logger.info("request", metadata: fields.reduce(into: [:]) { $0[$1.key] = $1.value.metadata })
        }
    }

    /// Records the end of a request with a problem, and returns its response.
    func refuse(_ problem: Problem, _ entry: inout Entry) -> ServerResponse {
        entry.problem = problem.kind
        write(entry, status: problem.status, bytes: 0)
        return problem.response
    }

    /// The fields of the line, in alphabetical order.
    private static func fields(
        _ entry: Entry,
        status: Int,
        bytes: Int,
        after duration: Duration
    ) -> [(key: String, value: LogValue)] {
        var fields: [(key: String, value: LogValue)] = []
        fields.reserveCapacity(24)
        func add(_ key: String, _ value: LogValue?) { if let value { fields.append((key, value)) } }
        func add(_ key: String, text: String?) { if let text { fields.append((key, .text(text))) } }
        func add(_ stage: StageTimes.Stage) {
            guard let times = entry.times else { return }
            for (other, time) in times.all where other == stage { add("\(stage.rawValue)_ms", milliseconds(time)) }
        }
        // The position of the secret or key in its list shows when an old one is no longer used.
        if case .bearer(let secret, _) = entry.grant { add("bearer", .integer(secret)) }
        add("bytes", .integer(bytes))
        add("cache", text: entry.cache)
        add("client", text: entry.client?.description)
        add("decision", text: entry.decisions.first?.description)
        add(.decode)
        add(.detect)
        add(.encode)
        add("faces", entry.faces.map { .integer($0) })
        add("failure", text: entry.failure)
        add("fetch_ms", entry.fetch.map(milliseconds))
        add(.frame)
        add("host", text: entry.host)
        if case .signature(let key, _, _) = entry.grant { add("key", .integer(key)) }
        add("method", text: entry.method)
        add("origin", text: entry.origin?.rawValue)
        add("parent_id", text: entry.trace?.parentID)
        add("peer", text: entry.peer.description)
        add("problem", text: entry.problem?.rawValue)
        add(.queue)
        add("request_id", text: entry.id.description)
        add("route", text: entry.route)
        add("scheme", text: entry.scheme)
        add("source", text: entry.source.map { "\($0.width)x\($0.height)" })
        add("span_id", text: entry.trace?.spanID)
        add("status", .integer(status))
        add("tenant", text: entry.grant.tenant?.name)
        add("total_ms", milliseconds(duration))
        add("trace_id", text: entry.trace?.traceID)
        return fields
    }

    private static func milliseconds(_ duration: Duration) -> LogValue {
        .number((duration / .milliseconds(1) * 100).rounded() / 100)
    }
}
