import Fetching
import HTTPTypes
import Pipeline
import Requests
import Telemetry

/// The spans of one request: the request's own span, and the spans of its fetches and of its job's stages.
///
/// Only the durations of stages are recorded, so their spans are placed one after another and end with the job. A stage
/// that runs in two parts, such as decoding at two scales, is shown as one span.
struct RequestSpans {
    private(set) var all: [Span] = []

    /// Creates the spans of a finished request.
    ///
    /// - Parameters:
    ///   - entry: The data of the request.
    ///   - trace: Its trace.
    ///   - status: The status of the response, or 499.
    ///   - bytes: Bytes of the response's body.
    ///   - duration: The time since the request's header was complete.
    init(_ entry: AccessLog.Entry, _ trace: TraceContext, status: Int, bytes: Int, after duration: Duration) {
        // An instant is not a calendar time, so both clocks are read together.
        let (now, unixNow) = (ContinuousClock.now, UnixNanoseconds.now)
        func time(_ instant: ContinuousClock.Instant) -> Int { unixNow - (now - instant).nanoseconds }
        let start = time(entry.start)
        let path = entry.route == AccessLog.unknownRoute ? "" : " /\(entry.route)"
        func span(
            _ id: String,
            in parent: String?,
            _ name: String,
            _ kind: Span.Kind,
            from start: Int,
            to end: Int
        ) -> Span {
            Span(traceID: trace.traceID, spanID: id, parentID: parent, name: name, kind: kind, start: start, end: end)
        }
        let name = "\(entry.method)\(path)"
        var root = span(trace.spanID, in: trace.parentID, name, .server, from: start, to: start + duration.nanoseconds)
        root.attributes = Self.attributes(entry, status: status, bytes: bytes)
        if status >= 500 {
            root.error = entry.image.failure ?? entry.problem?.rawValue ?? "status \(status)"
            root.errorType = entry.problem?.rawValue
        }
        all.append(root)
        for fetch in entry.image.fetches {
            let (begin, end) = (time(fetch.start), time(fetch.end))
            var fetched = span(fetch.spanID, in: trace.spanID, "fetch", .client, from: begin, to: end)
            if let host = fetch.host { fetched.attributes.append(("server.address", .text(host))) }
            if let use = fetch.use { fetched.attributes.append(("headroom.origin", .text(use))) }
            fetched.error = fetch.failure
            fetched.errorType = fetch.failure.map { _ in "fetch-failed" }
            all.append(fetched)
        }
        guard let times = entry.image.times, let jobEnd = entry.image.jobEnd else { return }
        var end = time(jobEnd)
        for (stage, spent) in times.spent.reversed() {
            let begin = end - spent.nanoseconds
            all.append(span(TraceContext.newSpanID(), in: trace.spanID, stage.rawValue, .inner, from: begin, to: end))
            end = begin
        }
    }

    private static func attributes(
        _ entry: AccessLog.Entry,
        status: Int,
        bytes: Int
    ) -> [(name: String, value: Span.Value)] {
        var attributes: [(name: String, value: Span.Value)] = [
            ("http.request.method", .text(entry.method)),
            ("http.response.status_code", .integer(status)),
            ("http.response.body.size", .integer(bytes)),
            ("headroom.request_id", .text("\(entry.id)")),
        ]
        func add(_ name: String, _ value: String?) { if let value { attributes.append((name, .text(value))) } }
        add("http.route", entry.route == AccessLog.unknownRoute ? nil : "/\(entry.route)")
        add("error.type", entry.problem?.rawValue)
        add("headroom.cache", entry.image.cache)
        add("headroom.tenant", entry.authorization.tenant?.name)
        add("headroom.decision", entry.image.decisions.first.map { "\($0)" })
        if let faces = entry.image.faces { attributes.append(("headroom.faces", .integer(faces))) }
        return attributes
    }
}

extension Duration {
    /// Whole nanoseconds; 0 for 1e18 and more, which could exceed an `Int`.
    fileprivate var nanoseconds: Int {
        let nanoseconds = self / .nanoseconds(1)
        return abs(nanoseconds) < 1e18 ? Int(nanoseconds) : 0
    }
}

/// Sends exports to their collectors over one connection for each destination.
struct CollectorSender: Sendable {
    private let connections: [String: CollectorConnection]

    /// Creates connections, which open at the first export.
    ///
    /// - Throws: A `FetchError` for an invalid URL.
    init(_ settings: OTLPSettings, userAgent: String) throws(FetchError) {
        var connections: [String: CollectorConnection] = [:]
        for endpoint in [settings.traces, settings.metrics].compactMap(\.self) where connections[endpoint.url] == nil {
            connections[endpoint.url] = try CollectorConnection(endpoint.url, userAgent: userAgent)
        }
        self.connections = connections
    }

    /// Sends a message; blocks up to its time limit.
    @Sendable func send(_ message: OTLPExporter.Message) -> OTLPExporter.Reply {
        guard let connection = connections[message.endpoint.url] else { return .failed("unknown destination") }
        let headers = [(name: "Content-Type", value: message.contentType)]
        let further = message.endpoint.headers.map { (name: $0.name, value: $0.value) }
        switch connection.post(message.body, headers: headers + further, timeout: message.timeout) {
        case .status(let status, let body): return .status(status, body: body)
        case .failed(let reason): return .failed(reason)
        }
    }
}
