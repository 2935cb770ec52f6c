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
/// The series of each request are created once, because creation needs a lock and a lookup by labels.
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

    package let registry = PrometheusRegistry()

    private let reloadSuccess: Meter
    private let reloadTime: Meter
    private let requestsInFlight: Meter
    private let requestCounter: MetricDescription
    private let requests = Mutex<[RequestKey: Counter]>([:])
    private let presetCounter: MetricDescription
    private let presets = Mutex<[String: Counter]>([:])
    private let routes: [String: RouteSeries]
    private let stages: [StageTimes.Stage: TracedTimer]
    private let fetches: TracedTimer
    private let decisions: [String: Counter]
    private let faces: Recorder
    /// The series of the deprecated metric.
    private let pictureFaces: Recorder
    private let facesFound: [Face.Finders: Counter]
    private let sources: [InputFormat: Counter]
    private let results: [String: Counter]
    private let effects: [ImageEffect: Counter]
    private let problems: [Problem.Kind: Counter]
    private let fallbackImages: [FallbackImage.Origin: Counter]
    /// The counters under the deprecated name of ``fallbackImages``.
    private let standIns: [FallbackImage.Origin: Counter]

    /// Histogram bounds in seconds.
    ///
    /// They extend from less than the shortest stage to the time limit for an image.
    package static let durationBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]

    /// Creates metrics with all counters at 0.
    ///
    /// - Parameter names: The names of all routes.
    init(routes names: [String]) {
        let registry = registry
        let build = registry.declare(
            "headroom_build_info",
            .gauge,
            labels: ["version", "build"],
            help: "Always 1. The labels contain the version and the build identifier."
        )
        registry.gauge(build, [HeadroomVersion.current, BuildIdentifier.current]).set(1)
        reloadSuccess = registry.gauge(
            "headroom_settings_reload_success",
            help: "0 if the last reload of the settings failed, otherwise 1."
        )
        reloadTime = registry.gauge(
            "headroom_settings_reload_timestamp_seconds",
            help: "Time of reading the active settings, in seconds since 1970."
        )
        requestCounter = registry.declare(
            "headroom_http_requests_total",
            .counter,
            labels: ["route", "method", "status"],
            help: "Completed requests; status 499 means that the client disconnected first."
        )
        presetCounter = registry.declare(
            "headroom_preset_requests_total",
            .counter,
            labels: ["preset"],
            help: "Requests that named a preset of the service."
        )
        let durations = registry.declare(
            "headroom_http_request_duration_seconds",
            .histogram(bounds: Self.durationBounds),
            labels: ["route"],
            help: "Time from the request header to the response, in seconds."
        )
        requestsInFlight = registry.gauge("headroom_http_requests_in_flight", help: "Requests in progress.")
        let bytes = registry.counters(
            "headroom_http_response_bytes_total",
            by: "route",
            names + [AccessLog.unknownRoute],
            help: "Body bytes of successful responses."
        )
        routes = bytes.reduce(into: [:]) { routes, entry in
            let duration = registry.tracedTimer(durations, [entry.key])
            routes[entry.key] = RouteSeries(duration: duration, bytes: entry.value)
        }
        problems = registry.counters(
            "headroom_http_problems_total",
            by: "kind",
            Problem.Kind.self,
            help: "Requests that failed, by kind of problem."
        )
        fallbackImages = registry.counters(
            "headroom_fallback_images_total",
            by: "origin",
            FallbackImage.Origin.self,
            help:
                "Responses with a fallback image, by its origin: the request or the setting."
        )
        standIns = registry.counters(
            "headroom_stand_ins_total",
            by: "origin",
            FallbackImage.Origin.self,
            help: "Deprecated: use headroom_fallback_images_total."
        )
        let stage = registry.declare(
            "headroom_stage_duration_seconds",
            .histogram(bounds: Self.durationBounds),
            labels: ["stage"],
            help: "Time in each stage of processing, in seconds."
        )
        stages = StageTimes.Stage.allCases.reduce(into: [:]) { $0[$1] = registry.tracedTimer(stage, [$1.rawValue]) }
        fetches = registry.tracedTimer(stage, ["fetch"])
        decisions = registry.counters(
            "headroom_decisions_total",
            by: "decision",
            Decision.kinds,
            help: "Crops by decision."
        )
        let faceBounds: [Double] = [0, 1, 2, 3, 5, 10, 20, 50]
        faces = registry.histogram(
            registry.declare(
                "headroom_image_faces",
                .histogram(bounds: faceBounds),
                help: "Faces found per image, for images with detection."
            )
        )
        pictureFaces = registry.histogram(
            registry.declare(
                "headroom_picture_faces",
                .histogram(bounds: faceBounds),
                help: "Deprecated: use headroom_image_faces."
            )
        )
        facesFound = registry.counters(
            "headroom_faces_found_total",
            by: "by",
            Face.Finders.self,
            help: "Detected faces by their detector: network, detector (HOG or a custom one), or both."
        )
        sources = registry.counters(
            "headroom_sources_total",
            by: "format",
            InputFormat.self,
            help: "Processed images by source format."
        )
        results = registry.counters(
            "headroom_results_total",
            by: "format",
            OutputFormat.allCases.map(\.rawValue) + VideoFormat.allCases.map(\.rawValue),
            help: "Encoded images and videos by format."
        )
        effects = registry.counters(
            "headroom_effects_total",
            by: "effect",
            ImageEffect.self,
            help: "Images by requested effect."
        )
        registry.read(ProcessMetrics.table) { ProcessMetrics() }
        settingsReloaded()
    }

    /// Records that the settings were just read and applied, at startup or by a reload.
    package func settingsReloaded() {
        reloadSuccess.set(1)
        reloadTime.set(Int64(time(nil)))
    }

    /// Records that a reload was rejected and the previous settings remain in use.
    package func settingsNotReloaded() { reloadSuccess.set(0) }

    func begin() { requestsInFlight.increment() }

    /// Records the end of a request.
    ///
    /// - Parameters:
    ///   - entry: The data of the request.
    ///   - status: The status of the response, or 499.
    ///   - bytes: The size of a successful response's body in bytes, otherwise 0.
    ///   - duration: The time since the request's header was complete.
    func end(_ entry: AccessLog.Entry, status: Int, bytes: Int, after duration: Duration) {
        requestsInFlight.decrement()
        count(route: entry.route, method: entry.method, status: status)
        let trace = entry.trace.flatMap { $0.isSampled ? ($0.traceID, $0.spanID) : nil }
        if let route = routes[entry.route] {
            route.duration.record(duration, trace: trace)
            route.bytes.increment(by: bytes)
        }
        if let preset = entry.image.preset { count(preset: preset) }
        if let fallbackImage = entry.image.fallbackImage { count(fallbackImage) }
        if let problem = entry.problem { problems[problem]?.increment() }
        if let fetch = entry.image.fetch { fetches.record(fetch, trace: trace) }
        if let times = entry.image.times {
            for (stage, time) in times.spent { stages[stage]?.record(time, trace: trace) }
        }
        if let count = entry.image.faces {
            faces.record(Int64(count))
            pictureFaces.record(Int64(count))
        }
        for finder in entry.image.finders { facesFound[finder]?.increment() }
        for decision in entry.image.decisions {
            decisions[decision.kind]?.increment()
        }
        if let format = entry.image.inputFormat { sources[format]?.increment() }
        for format in entry.image.formats { results[format]?.increment() }
        for effect in entry.image.effects { effects[effect]?.increment() }
    }

    /// Records a response to input that the server could not parse as a request.
    func refused(_ problem: Problem) {
        count(route: AccessLog.unknownRoute, method: "none", status: problem.status.code)
        problems[problem.kind]?.increment()
    }

    private func count(_ origin: FallbackImage.Origin) {
        fallbackImages[origin]?.increment()
        standIns[origin]?.increment()
    }

    private func count(preset: String) {
        let counter = presets.withLock { presets in
            if let counter = presets[preset] { return counter }
            let counter = registry.counter(presetCounter, [preset])
            presets[preset] = counter
            return counter
        }
        counter.increment()
    }

    private func count(route: String, method: String, status: Int) {
        let key = RequestKey(route: route, method: method, status: status)
        let counter = requests.withLock { requests in
            if let counter = requests[key] { return counter }
            let counter = registry.counter(requestCounter, [route, method, "\(status)"])
            requests[key] = counter
            return counter
        }
        counter.increment()
    }
}

extension PrometheusRegistry {
    fileprivate func declare(
        _ name: String,
        _ kind: MetricDescription.Kind,
        labels: [String] = [],
        help: String
    ) -> MetricDescription {
        declare(MetricDescription(name, kind, labels: labels, help: help))
    }
}

/// The effects on an image other than its crop, as a metric label.
enum ImageEffect: String, CaseIterable {
    case align, filter, follow, key, mark, redact, sticker, upright

    static func all(of options: FrameOptions) -> [ImageEffect] {
        allCases.filter { effect in
            switch effect {
            case .align: if case .eyes = options.faceTurn { true } else { false }
            case .filter: !options.filters.isEmpty
            case .follow: options.motion == .follow
            case .key: options.key != nil
            case .mark: options.mark != nil
            case .redact: options.redaction != nil
            case .sticker: !options.stickers.isEmpty
            case .upright: options.faceTurn == .upright
            }
        }
    }
}
