import FramePipeline
import Framing
import HTTPTypes
import Metrics
package import PrometheusMetrics
import Synchronization

/// Counts what becomes of requests.
///
/// What is counted for every request has its series made once, for making one takes a lock and looks for its labels.
package final class ServiceMetrics: Sendable {
    private struct RequestKey: Hashable {
        let route: String
        let method: String
        let status: Int
    }

    private struct RouteSeries {
        let duration: Metrics.Timer
        let bytes: Counter
    }

    /// Where all of it is kept.
    package let registry = PrometheusRegistry(HeadroomMetrics.all)

    private let requestsInFlight: Meter
    private let routes: [String: RouteSeries]
    private let stages: [StageTimes.Stage: Metrics.Timer]
    private let fetches: Metrics.Timer
    private let decisions: [String: Counter]
    private let otherDecisions: Counter
    private let faces: Recorder
    private let problems: [Problem.Kind: Counter]
    private let requests = Mutex<[RequestKey: Counter]>([:])

    /// Metrics of a service that has not served anything.
    package init() {
        let registry = registry
        registry.gauge(HeadroomMetrics.buildInformation, [HeadroomVersion.current]).set(1)
        registry.read(ProcessMetrics.samples)
        requestsInFlight = registry.gauge(HeadroomMetrics.requestsInFlight)
        // Everything that is known beforehand begins at 0: Prometheus cannot see the first step of what was not there.
        routes = Dictionary(
            uniqueKeysWithValues: Route.names.map { name in
                let duration = registry.timer(HeadroomMetrics.requestDuration, [name])
                let bytes = registry.counter(HeadroomMetrics.answeredBytes, [name])
                return (name, RouteSeries(duration: duration, bytes: bytes))
            }
        )
        stages = Dictionary(
            uniqueKeysWithValues: StageTimes.Stage.allCases.map {
                ($0, registry.timer(HeadroomMetrics.stageDuration, [$0.rawValue]))
            }
        )
        fetches = registry.timer(HeadroomMetrics.stageDuration, ["fetch"])
        decisions = Dictionary(
            uniqueKeysWithValues: DecisionWord.all.map { ($0, registry.counter(HeadroomMetrics.decisions, [$0])) }
        )
        otherDecisions = registry.counter(HeadroomMetrics.decisions, [DecisionWord.other])
        faces = registry.histogram(HeadroomMetrics.faces)
        problems = Dictionary(
            uniqueKeysWithValues: Problem.Kind.allCases.map {
                ($0, registry.counter(HeadroomMetrics.problems, [$0.rawValue]))
            }
        )
    }

    /// A request begins.
    func begin() { requestsInFlight.increment() }

    /// A request that began is over.
    ///
    /// - Parameters:
    ///   - entry: What is known of it.
    ///   - status: Of the answer.
    ///   - bytes: Of the answer's body, if it is a good one.
    ///   - duration: Since its header was complete.
    func end(_ entry: AccessLog.Entry, status: Int, bytes: Int, after duration: Duration) {
        requestsInFlight.decrement()
        count(route: entry.route, method: entry.method, status: status)
        if let route = routes[entry.route] {
            route.duration.record(duration: duration)
            route.bytes.increment(by: bytes)
        }
        if let problem = entry.problem { problems[problem]?.increment() }
        if let fetch = entry.fetch { fetches.record(duration: fetch) }
        if let times = entry.times {
            for (stage, time) in times.spent { stages[stage]?.record(duration: time) }
        }
        if let count = entry.faces { faces.record(Int64(count)) }
        for decision in entry.decisions {
            (decisions[DecisionWord.bounded(decision)] ?? otherDecisions).increment()
        }
    }

    /// The server has refused what never became a request.
    func refused(_ problem: Problem) {
        count(route: Route.unknownName, method: "none", status: problem.status.code)
        problems[problem.kind]?.increment()
    }

    private func count(route: String, method: String, status: Int) {
        let key = RequestKey(route: route, method: method, status: status)
        let counter = requests.withLock { requests in
            if let counter = requests[key] { return counter }
            let counter = registry.counter(HeadroomMetrics.requests, [route, method, "\(status)"])
            requests[key] = counter
            return counter
        }
        counter.increment()
    }
}

/// The words that decisions are counted by: none of them depends on a picture.
enum DecisionWord {
    /// What no other word stands for.
    static let other = "other"

    /// All but ``other``.
    static let all: Set<String> = Set(
        Gravity.plainWords + ["face", "point", "pad"] + Fallback.allCases.map { "fallback:\($0.rawValue)" }
    )

    /// A decision without the number of a face.
    static func bounded(_ decision: String) -> String { decision.hasPrefix("face:") ? "face" : decision }
}
