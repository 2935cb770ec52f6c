package import Telemetry

/// Every metric of the service, in the order of docs/metrics.md.
package enum HeadroomMetrics {
    /// All metrics, in the order of the response; those of the process come last.
    package static let all =
        [
            buildInformation, ready, settingsReloadSuccess, settingsReloadTime, requests, requestDuration,
            requestsInFlight, answeredBytes, problems, connections,
            connectionLimit, bodyBytes, unsentBytes, stageDuration, decisions, faces, facesFound,
            sources, results, effects,
        ] + tenants + exporting + streaming + load + workerProcesses + caches + redis + ProcessMetrics.descriptions

    /// Histogram bounds in seconds, from below the shortest stage to the longest time that a picture may take.
    static let durationHistogram: MetricDescription.Kind = .histogram(bounds: [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20,
    ])

    // The service.

    static let buildInformation = MetricDescription(
        "headroom_build_info",
        .gauge,
        labels: ["version", "build"],
        help: "Always 1; the labels have the version and the identifier of the build."
    )
    static let ready = MetricDescription("headroom_ready", .gauge, help: "1 while /readyz returns 200, else 0.")

    static let settingsReloadSuccess = MetricDescription(
        "headroom_settings_reload_success",
        .gauge,
        help: "1 if the last reload of the settings was applied, or there was none, else 0."
    )
    static let settingsReloadTime = MetricDescription(
        "headroom_settings_reload_timestamp_seconds",
        .gauge,
        help: "Time at which the settings in use were read, in seconds since 1970."
    )

    // Requests.

    static let requests = MetricDescription(
        "headroom_http_requests_total",
        .counter,
        labels: ["route", "method", "status"],
        help: "Completed requests; status 499 means that the client disconnected first."
    )
    static let requestDuration = MetricDescription(
        "headroom_http_request_duration_seconds",
        durationHistogram,
        labels: ["route"],
        help: "Time from the request header to the response, in seconds."
    )
    static let requestsInFlight = MetricDescription(
        "headroom_http_requests_in_flight",
        .gauge,
        help: "Requests in progress."
    )
    static let answeredBytes = MetricDescription(
        "headroom_http_response_bytes_total",
        .counter,
        labels: ["route"],
        help: "Body bytes of successful responses."
    )
    static let problems = MetricDescription(
        "headroom_http_problems_total",
        .counter,
        labels: ["kind"],
        help: "Requests that failed, by kind of problem."
    )
    static let connections = MetricDescription("headroom_http_connections", .gauge, help: "Open connections.")
    static let connectionLimit = MetricDescription(
        "headroom_http_connections_limit",
        .gauge,
        help: "Maximum number of open connections."
    )
    static let bodyBytes = MetricDescription(
        "headroom_http_body_bytes",
        .gauge,
        help: "Memory of uploads being received or processed, in bytes."
    )
    static let unsentBytes = MetricDescription(
        "headroom_http_unsent_bytes",
        .gauge,
        help: "Response bytes not yet sent."
    )

    // Pictures.

    static let stageDuration = MetricDescription(
        "headroom_stage_duration_seconds",
        durationHistogram,
        labels: ["stage"],
        help: "Time in each stage of processing, in seconds."
    )
    static let decisions = MetricDescription(
        "headroom_decisions_total",
        .counter,
        labels: ["decision"],
        help: "Crops by decision."
    )
    static let faces = MetricDescription(
        "headroom_picture_faces",
        .histogram(bounds: [0, 1, 2, 3, 5, 10, 20, 50]),
        help: "Faces found per picture, for pictures with detection."
    )
    static let facesFound = MetricDescription(
        "headroom_faces_found_total",
        .counter,
        labels: ["by"],
        help: "Faces of searches by what found them: network, detector (HOG, or one of your own), or both."
    )
    static let sources = MetricDescription(
        "headroom_sources_total",
        .counter,
        labels: ["format"],
        help: "Processed pictures by the format of their source."
    )
    static let results = MetricDescription(
        "headroom_results_total",
        .counter,
        labels: ["format"],
        help: "Encoded pictures by format."
    )
    static let effects = MetricDescription(
        "headroom_effects_total",
        .counter,
        labels: ["effect"],
        help: "Processed pictures by what else than a crop was asked for."
    )
}
