import FramePipeline
import Framing
import HTTPServer
import HTTPTypes
import Logging

/// One line a request: what was asked, what was decided, how long it took.
struct AccessLog {
    let logger: Logger

    /// What is known of a request by the time it is answered.
    struct Entry {
        /// The kind of problem that was answered.
        var problem: String?
        /// What really went wrong, which the caller is not told.
        var failure: String?

        fileprivate let start: ContinuousClock.Instant
        fileprivate var metadata: Logger.Metadata

        init(_ request: ServerRequest, route: Route?) {
            start = request.acceptedAt
            metadata = [
                "method": "\(request.method.rawValue)",
                "route": "\(route?.name ?? "none")",
                "peer": "\(request.peer)",
            ]
        }

        /// Notes who asks: the place of the secret or the key in its list, by which one sees when an old one is out of use.
        mutating func describe(_ grant: Grant) {
            switch grant {
            case .everyone: break
            case .bearer(let secret): metadata["bearer"] = "\(secret)"
            case .signature(let key, _): metadata["key"] = "\(key)"
            }
        }

        /// Notes where the source came from.
        mutating func describe(_ use: SourceCache.Use) { metadata["origin"] = "\(use.rawValue)" }

        /// Notes that there was a picture already; nil when the client has it.
        mutating func describe(ready picture: KeptPicture?) {
            metadata["decision"] = picture?.decision.map { "\($0)" }
            metadata["faces"] = picture?.faces.map { "\($0)" }
            metadata["cache"] = "hit"
        }

        mutating func describe(_ result: FrameResult, fetch: Duration?) {
            metadata["decision"] = result.plan.crops.first.map { "\($0.decision)" }
            metadata["faces"] = result.plan.detector == nil ? nil : "\(result.plan.faces.count)"
            metadata["source"] = "\(result.plan.source.size.width)x\(result.plan.source.size.height)"
            metadata["fetch_ms"] = fetch.map { "\(AccessLog.milliseconds($0))" }
            metadata["queue_ms"] = "\(AccessLog.milliseconds(result.times.queue))"
            metadata["decode_ms"] = "\(AccessLog.milliseconds(result.times.decode))"
            metadata["detect_ms"] = "\(AccessLog.milliseconds(result.times.detect))"
            metadata["encode_ms"] = "\(AccessLog.milliseconds(result.times.encode))"
        }
    }

    func write(_ entry: Entry, status: HTTPResponse.Status, bytes: Int) {
        guard logger.logLevel <= .info else { return }
        var metadata = entry.metadata
        metadata["status"] = "\(status.code)"
        metadata["bytes"] = "\(bytes)"
        metadata["total_ms"] = "\(Self.milliseconds(.now - entry.start))"
        metadata["problem"] = entry.problem.map { "\($0)" }
        metadata["failure"] = entry.failure.map { "\($0)" }
        logger.info("request", metadata: metadata)
    }

    private static func milliseconds(_ duration: Duration) -> Double {
        (duration / .milliseconds(1) * 100).rounded() / 100
    }
}
