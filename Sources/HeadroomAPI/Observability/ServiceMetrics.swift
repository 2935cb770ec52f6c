import Framing
import Glibc
import HTTPTypes
import Imaging
import Metrics
import Pipeline
import Requests
import Synchronization
package import Telemetry

/// The counters, timers and histograms of requests.
///
/// The series of every request are created once, because creation takes a lock and a lookup by labels.
package final class ServiceMetrics: Sendable {
    private struct RequestKey: Hashable {
        let route: String
        let method: String
        let status: Int
    }

    private struct RouteSeries {
        let duration: TracedTimer
        let bytes: Counter
    }

    /// Holds all metrics.
    package let registry = PrometheusRegistry(HeadroomMetrics.all)

    private let reloadSuccess: Meter
    private let reloadTime: Meter
    private let requestsInFlight: Meter
    private let routes: [String: RouteSeries]
    private let stages: [StageTimes.Stage: TracedTimer]
    private let fetches: TracedTimer
    private let decisions: [String: Counter]
    private let faces: Recorder
    private let facesFound: [Face.Finders: Counter]
    private let sources: [SourceFormat: Counter]
    private let results: [ImageFormat: Counter]
    private let effects: [PictureEffect: Counter]
    private let problems: [Problem.Kind: Counter]
    private let requests = Mutex<[RequestKey: Counter]>([:])

    /// Creates metrics with all counters at 0.
    package init() {
        let registry = registry
        registry.gauge(HeadroomMetrics.buildInformation, [HeadroomVersion.current, BuildIdentifier.current]).set(1)
        registry.read(ProcessMetrics.samples)
        reloadSuccess = registry.gauge(HeadroomMetrics.settingsReloadSuccess)
        reloadTime = registry.gauge(HeadroomMetrics.settingsReloadTime)
        requestsInFlight = registry.gauge(HeadroomMetrics.requestsInFlight)
        // Known series start at 0, because Prometheus cannot see the first increment of a new series.
        routes = Dictionary(
            uniqueKeysWithValues: Route.names.map { name in
                let duration = registry.tracedTimer(HeadroomMetrics.requestDuration, [name])
                let bytes = registry.counter(HeadroomMetrics.answeredBytes, [name])
                return (name, RouteSeries(duration: duration, bytes: bytes))
            }
        )
        stages = Dictionary(
            uniqueKeysWithValues: StageTimes.Stage.allCases.map {
                ($0, registry.tracedTimer(HeadroomMetrics.stageDuration, [$0.rawValue]))
            }
        )
        fetches = registry.tracedTimer(HeadroomMetrics.stageDuration, ["fetch"])
        decisions = Dictionary(
            uniqueKeysWithValues: Decision.kinds.map { ($0, registry.counter(HeadroomMetrics.decisions, [$0])) }
        )
        faces = registry.histogram(HeadroomMetrics.faces)
        facesFound = Dictionary(
            uniqueKeysWithValues: Face.Finders.allCases.map {
                ($0, registry.counter(HeadroomMetrics.facesFound, [$0.rawValue]))
            }
        )
        sources = Dictionary(
            uniqueKeysWithValues: SourceFormat.allCases.map {
                ($0, registry.counter(HeadroomMetrics.sources, [$0.rawValue]))
            }
        )
        results = Dictionary(
            uniqueKeysWithValues: ImageFormat.allCases.map {
                ($0, registry.counter(HeadroomMetrics.results, [$0.rawValue]))
            }
        )
        effects = Dictionary(
            uniqueKeysWithValues: PictureEffect.allCases.map {
                ($0, registry.counter(HeadroomMetrics.effects, [$0.rawValue]))
            }
        )
        problems = Dictionary(
            uniqueKeysWithValues: Problem.Kind.allCases.map {
                ($0, registry.counter(HeadroomMetrics.problems, [$0.rawValue]))
            }
        )
        settingsReloaded()
    }

    /// Records that the settings were read and applied.
    package func settingsReloaded() {
        reloadSuccess.set(1)
        reloadTime.set(Int64(time(nil)))
    }

    /// Records that a reload was refused, so that the previous settings stay in use.
    package func settingsNotReloaded() { reloadSuccess.set(0) }

    /// Records the start of a request.
    func begin() { requestsInFlight.increment() }

    /// Records the end of a request.
    ///
    /// - Parameters:
    ///   - entry: The data of the request.
    ///   - status: The status of the response.
    ///   - bytes: Bytes of a successful response's body, else 0.
    ///   - duration: Time since the request's header was complete.
    func end(_ entry: AccessLog.Entry, status: Int, bytes: Int, after duration: Duration) {
        requestsInFlight.decrement()
        count(route: entry.route, method: entry.method, status: status)
        let trace = entry.trace.flatMap { $0.isSampled ? ($0.traceID, $0.spanID) : nil }
        if let route = routes[entry.route] {
            route.duration.record(duration, trace: trace)
            route.bytes.increment(by: bytes)
        }
        if let problem = entry.problem { problems[problem]?.increment() }
        if let fetch = entry.fetch { fetches.record(fetch, trace: trace) }
        if let times = entry.times {
            for (stage, time) in times.spent { stages[stage]?.record(time, trace: trace) }
        }
        if let count = entry.faces { faces.record(Int64(count)) }
        for finder in entry.finders { facesFound[finder]?.increment() }
        for decision in entry.decisions {
            decisions[decision.kind]?.increment()
        }
        if let format = entry.sourceFormat { sources[format]?.increment() }
        for format in entry.formats { results[format]?.increment() }
        for effect in entry.effects { effects[effect]?.increment() }
    }

    /// Records a response to input that the server could not parse as a request.
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
