import FramePipeline
import Framing
import HTTPServer
import HTTPTypes
import Logging

/// The one place where a request begins and ends: a line in the log, and what metrics count.
///
/// A line has no target and no field of a request, for those may hold secrets.
struct AccessLog {
    /// The status of a request whose client left before its answer, as nginx has it; it is never sent.
    static let clientLeft = 499

    let logger: Logger
    let metrics: ServiceMetrics

    /// What is known of a request by the time it is answered.
    struct Entry {
        /// What the request is called.
        let id: RequestID
        /// The trace that it belongs to.
        let trace: TraceContext?
        /// The route's name.
        let route: String
        /// The method, or `other`.
        let method: String

        /// The kind of problem that was answered.
        var problem: Problem.Kind?
        /// What really went wrong, which the caller is not told.
        var failure: String?
        /// The time that the origin took, whether it answered or not.
        var fetch: Duration?
        /// The time that the stages took.
        fileprivate(set) var times: StageTimes?
        /// What decided each crop.
        fileprivate(set) var decisions: [String] = []
        /// How many faces were found, if they were looked for.
        fileprivate(set) var faces: Int?

        fileprivate let start: ContinuousClock.Instant
        fileprivate let peer: PeerAddress
        fileprivate var grant = Grant.everyone
        fileprivate var source: PixelSize?
        fileprivate var origin: SourceCache.Use?
        /// Whether the answer was there, or being made, already.
        fileprivate var cache: String?

        fileprivate init(_ request: ServerRequest, route: Route?) {
            id = RequestID(request.headers)
            trace = TraceContext(request.headers)
            start = request.acceptedAt
            peer = request.peer
            self.route = route?.name ?? Route.unknownName
            let isKnown = [.get, .head, .post, .options].contains(request.method)
            method = isKnown ? request.method.rawValue : "other"
        }

        /// Notes who asks.
        mutating func describe(_ grant: Grant) { self.grant = grant }

        /// Notes where the source came from, and how long that took.
        mutating func describe(_ use: SourceCache.Use, after time: Duration) {
            origin = use
            if use != .kept { fetch = time }
        }

        /// Notes that there was a picture already; nil when the client has it.
        mutating func describe(ready picture: KeptPicture?) {
            decisions = picture?.decision.map { [$0] } ?? []
            faces = picture?.faces
            cache = "hit"
        }

        /// Notes what was found, and decided if that is part of the answer.
        ///
        /// The stages of work that was done for another request are told there.
        mutating func describe(_ result: FrameResult, showsCrops: Bool, isJoined: Bool) {
            if isJoined { cache = "joined" } else { times = result.times }
            decisions = showsCrops ? result.plan.crops.map(\.decision) : []
            faces = result.plan.detector == nil ? nil : result.plan.faces.count
            source = result.plan.source.size
        }
    }

    /// Notes that a request begins; it ends with ``write(_:status:bytes:)``.
    func begin(_ request: ServerRequest, route: Route?) -> Entry {
        metrics.begin()
        return Entry(request, route: route)
    }

    /// Notes that a request is answered with so many bytes of body.
    func write(_ entry: Entry, status: HTTPResponse.Status, bytes: Int) {
        let duration = ContinuousClock.now - entry.start
        // The server drops the answer to a request whose task it has cancelled.
        let isDropped = Task.isCancelled
        var entry = entry
        if isDropped { entry.problem = nil }
        let (status, bytes) = isDropped ? (Self.clientLeft, 0) : (status.code, bytes)
        metrics.end(entry, status: status, bytes: bytes, after: duration)
        guard logger.logLevel <= .info else { return }
        logger.info("request", metadata: Self.metadata(entry, status: status, bytes: bytes, after: duration))
    }

    private static func metadata(_ entry: Entry, status: Int, bytes: Int, after duration: Duration) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "request_id": "\(entry.id)",
            "method": "\(entry.method)",
            "route": "\(entry.route)",
            "peer": "\(entry.peer)",
            "status": .stringConvertible(status),
            "bytes": .stringConvertible(bytes),
            "total_ms": milliseconds(duration),
        ]
        if let trace = entry.trace {
            metadata["trace_id"] = "\(trace.traceID)"
            metadata["span_id"] = "\(trace.spanID)"
            metadata["parent_id"] = "\(trace.parentID)"
        }
        // The place of the secret or the key in its list, by which one sees when an old one is out of use.
        switch entry.grant {
        case .everyone: break
        case .bearer(let secret): metadata["bearer"] = .stringConvertible(secret)
        case .signature(let key, _): metadata["key"] = .stringConvertible(key)
        }
        metadata["problem"] = entry.problem.map { "\($0.rawValue)" }
        metadata["failure"] = entry.failure.map { "\($0)" }
        metadata["decision"] = entry.decisions.first.map { "\($0)" }
        metadata["faces"] = entry.faces.map { .stringConvertible($0) }
        metadata["source"] = entry.source.map { "\($0.width)x\($0.height)" }
        metadata["origin"] = entry.origin.map { "\($0.rawValue)" }
        metadata["cache"] = entry.cache.map { "\($0)" }
        metadata["fetch_ms"] = entry.fetch.map(milliseconds)
        for (stage, time) in entry.times?.all ?? [] { metadata["\(stage.rawValue)_ms"] = milliseconds(time) }
        return metadata
    }

    private static func milliseconds(_ duration: Duration) -> Logger.MetadataValue {
        .stringConvertible((duration / .milliseconds(1) * 100).rounded() / 100)
    }
}
