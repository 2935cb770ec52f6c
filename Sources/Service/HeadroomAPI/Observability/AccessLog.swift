import Framing
import Geometry
import HTTPServer
import HTTPTypes
import Logging
import Pipeline
import Requests
import Telemetry

/// Records the start and the end of each request: one log line, and the metrics.
///
/// The line contains neither the target nor a header field of the request, because these may contain secrets.
package struct AccessLog {
    /// The logged status of a request whose client disconnected first, as in nginx; it is never sent.
    static let clientLeft = 499
    /// The name of the route of a request for an unknown path.
    static let unknownRoute = "none"

    let logger: Logger
    let metrics: ServiceMetrics
    /// Exports spans; nil for no export.
    private let tracer: RequestTracer?
    /// The logger's own handler, if it accepts fields without a metadata dictionary.
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
        /// The outcome of the request's image.
        package var image: ImageRecord
        let route: String
        /// The method, or `other`.
        let method: String
        var problem: Problem.Kind?
        /// The time when the request's header was complete.
        let start: ContinuousClock.Instant
        /// The address of the connection.
        fileprivate let peer: PeerAddress
        /// The client behind a trusted proxy.
        fileprivate let client: PeerAddress?
        var authorization = Authorization.everyone

        /// The trace of the request, if any.
        package var trace: TraceContext? { image.trace }

        fileprivate init(_ request: ServerRequest, route: String?, _ tracer: RequestTracer?) {
            id = RequestID(request.headers)
            let trace = tracer.map { $0.context(request.headers) } ?? TraceContext(request.headers)
            let exportsSpans = tracer?.exporter.takesSpans == true && trace?.isSampled == true
            image = ImageRecord(trace: trace, exportsSpans: exportsSpans)
            start = request.acceptedAt
            client = request.proxy == nil ? nil : request.client
            peer = request.proxy ?? request.client
            self.route = route ?? AccessLog.unknownRoute
            let isKnown = [.get, .head, .post, .options].contains(request.method)
            method = isKnown ? request.method.rawValue : "other"
        }
    }

    /// Records the start of a request; ``write(_:status:bytes:)`` records its end.
    ///
    /// `route` is the name of the route; nil for an unknown path.
    func begin(_ request: ServerRequest, route: String?) -> Entry {
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

    /// Records the end of a request with a problem, and returns the response.
    func refuse(_ problem: Problem, _ entry: inout Entry) -> ServerResponse {
        entry.problem = problem.kind
        if let text = problem.expectedSignedText {
            logger.debug("signature rejected", metadata: ["expected": "\(text)", "request_id": "\(entry.id)"])
        }
        write(entry, status: problem.status, bytes: 0)
        return problem.response
    }

    /// Returns the fields of the line, in alphabetical order.
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
            guard let times = entry.image.times else { return }
            for (other, time) in times.all where other == stage { add("\(stage.rawValue)_ms", milliseconds(time)) }
        }
        // The position of the secret or key in its list shows operators when an old secret or key is no longer used.
        if case .bearer(let secret, _) = entry.authorization { add("bearer", .integer(secret)) }
        add("bytes", .integer(bytes))
        add("cache", text: entry.image.cache)
        add("client", text: entry.client?.description)
        add("decision", text: entry.image.decisions.first?.description)
        add(.decode)
        add("deprecated", text: entry.image.deprecated)
        add(.detect)
        add(.encode)
        add("faces", entry.image.faces.map { .integer($0) })
        add("failure", text: entry.image.failure)
        add("fetch_ms", entry.image.fetch.map(milliseconds))
        add(.frame)
        add("host", text: entry.image.host)
        if case .signature(let key, _, _) = entry.authorization { add("key", .integer(key)) }
        add("method", text: entry.method)
        add("origin", text: entry.image.origin?.rawValue)
        add("parent_id", text: entry.trace?.parentID)
        add("peer", text: entry.peer.description)
        add("problem", text: entry.problem?.rawValue)
        add(.queue)
        add("request_id", text: entry.id.description)
        add("route", text: entry.route)
        add("scheme", text: entry.image.scheme)
        add("source", text: entry.image.source.map { "\($0.width)x\($0.height)" })
        add("span_id", text: entry.trace?.spanID)
        add("status", .integer(status))
        add("tenant", text: entry.authorization.tenant?.name)
        add("total_ms", milliseconds(duration))
        add("trace_id", text: entry.trace?.traceID)
        return fields
    }

    private static func milliseconds(_ duration: Duration) -> LogValue {
        .number((duration / .milliseconds(1) * 100).rounded() / 100)
    }
}
