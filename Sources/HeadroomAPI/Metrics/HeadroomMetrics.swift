package import PrometheusMetrics

/// Every metric of the service; docs/metrics.md has the same table.
package enum HeadroomMetrics {
    /// In the order of the answer, those of the process last.
    package static let all =
        [
            buildInformation, ready, requests, requestDuration, requestsInFlight, answeredBytes, problems, connections,
            connectionLimit, stageDuration, decisions, faces,
        ] + load + processes + caches + redis + ProcessMetrics.descriptions

    private static let load = [
        queueLength, queueLimit, workers, busyWorkers, liveWorkers, bytesInFlight, byteLimit, runningFetches,
        waitingFetches, fetchLimit,
    ]

    private static let processes = [
        workerRestarts, workerEnds, workerRefusals, refusedSources, workerProcessorTime, workerMemory,
    ]

    private static let caches = [
        cacheHits, cacheMisses, cacheSharedHits, cacheJoins, cacheStores, cacheEvictions, cacheBytes, cacheLimit,
    ]

    private static let redis = [redisConnected, redisLookups, redisWrites, redisFailures]

    /// Bounds of durations in seconds: from less than the shortest stage to the longest that a picture may take.
    private static let seconds: MetricDescription.Kind = .histogram(bounds: [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20,
    ])

    // The service.

    static let buildInformation = MetricDescription(
        "headroom_build_info",
        .gauge,
        labels: ["version"],
        help: "1, with the version of this build."
    )
    static let ready = MetricDescription("headroom_ready", .gauge, help: "1 while /readyz says ready, else 0.")

    // Requests.

    static let requests = MetricDescription(
        "headroom_http_requests_total",
        .counter,
        labels: ["route", "method", "status"],
        help: "Requests answered; status 499 stands for a client that left before."
    )
    static let requestDuration = MetricDescription(
        "headroom_http_request_duration_seconds",
        seconds,
        labels: ["route"],
        help: "Time from a request's header to its answer."
    )
    static let requestsInFlight = MetricDescription(
        "headroom_http_requests_in_flight",
        .gauge,
        help: "Requests that are being answered now."
    )
    static let answeredBytes = MetricDescription(
        "headroom_http_response_bytes_total",
        .counter,
        labels: ["route"],
        help: "Bytes of the bodies of good answers."
    )
    static let problems = MetricDescription(
        "headroom_http_problems_total",
        .counter,
        labels: ["kind"],
        help: "Requests that got a problem, by the last part of its type."
    )
    static let connections = MetricDescription("headroom_http_connections", .gauge, help: "Open connections.")
    static let connectionLimit = MetricDescription(
        "headroom_http_connections_limit",
        .gauge,
        help: "Connections that may be open at the same time."
    )

    // Pictures.

    static let stageDuration = MetricDescription(
        "headroom_stage_duration_seconds",
        seconds,
        labels: ["stage"],
        help: "Time in each stage that a picture needed: queue is the wait for a worker, fetch that for the origin."
    )
    static let decisions = MetricDescription(
        "headroom_decisions_total",
        .counter,
        labels: ["decision"],
        help: "Crops by what decided them."
    )
    static let faces = MetricDescription(
        "headroom_picture_faces",
        .histogram(bounds: [0, 1, 2, 3, 5, 10, 20, 50]),
        help: "Faces found in a picture, of those in which they were looked for."
    )

    // Load.

    static let queueLength = MetricDescription(
        "headroom_queue_length",
        .gauge,
        help: "Pictures that wait for a worker."
    )
    static let queueLimit = MetricDescription(
        "headroom_queue_limit",
        .gauge,
        help: "Pictures that may wait for a worker; the next is refused."
    )
    static let workers = MetricDescription("headroom_workers", .gauge, help: "Workers that there should be.")
    static let busyWorkers = MetricDescription("headroom_workers_busy", .gauge, help: "Workers that have a picture.")
    static let liveWorkers = MetricDescription(
        "headroom_workers_alive",
        .gauge,
        help: "Workers that could take a picture, or have one."
    )
    static let bytesInFlight = MetricDescription(
        "headroom_inflight_bytes",
        .gauge,
        help: "Memory that the pictures being worked on may need."
    )
    static let byteLimit = MetricDescription(
        "headroom_inflight_limit_bytes",
        .gauge,
        help: "Memory that the pictures being worked on may need together at most."
    )

    static let runningFetches = MetricDescription(
        "headroom_fetches_running",
        .gauge,
        help: "Pictures that are being fetched now."
    )
    static let waitingFetches = MetricDescription(
        "headroom_fetches_waiting",
        .gauge,
        help: "Pictures that wait to be fetched."
    )
    static let fetchLimit = MetricDescription(
        "headroom_fetches_limit",
        .gauge,
        help: "Pictures that may be fetched at the same time."
    )

    // Worker processes.

    static let workerRestarts = MetricDescription(
        "headroom_worker_restarts_total",
        .counter,
        help: "Worker processes started in place of another."
    )
    static let workerEnds = MetricDescription(
        "headroom_worker_ends_total",
        .counter,
        labels: ["cause"],
        help: "Worker processes that ended, had to be ended, or did not start, by cause."
    )
    static let workerRefusals = MetricDescription(
        "headroom_worker_refusals_total",
        .counter,
        help: "Requests refused because the same picture had ended a worker process."
    )
    static let refusedSources = MetricDescription(
        "headroom_refused_sources",
        .gauge,
        help: "Pictures that are refused now because they ended a worker process."
    )
    static let workerProcessorTime = MetricDescription(
        "headroom_worker_cpu_seconds_total",
        .counter,
        labels: ["worker"],
        help: "Processor time of the process that a worker is now, in seconds."
    )
    static let workerMemory = MetricDescription(
        "headroom_worker_resident_memory_bytes",
        .gauge,
        labels: ["worker"],
        help: "Memory of the process that a worker is now."
    )

    // Caches.

    static let cacheHits = MetricDescription(
        "headroom_cache_hits_total",
        .counter,
        labels: ["cache"],
        help: "Things that were asked for and there."
    )
    static let cacheMisses = MetricDescription(
        "headroom_cache_misses_total",
        .counter,
        labels: ["cache"],
        help: "Things that were asked for and not there."
    )
    static let cacheSharedHits = MetricDescription(
        "headroom_cache_shared_hits_total",
        .counter,
        labels: ["cache"],
        help: "Of the misses, those that Redis had."
    )
    static let cacheJoins = MetricDescription(
        "headroom_cache_joins_total",
        .counter,
        labels: ["cache"],
        help: "Things that were being made for another request, and were waited for."
    )
    static let cacheStores = MetricDescription(
        "headroom_cache_stores_total",
        .counter,
        labels: ["cache"],
        help: "Things that were kept."
    )
    static let cacheEvictions = MetricDescription(
        "headroom_cache_evictions_total",
        .counter,
        labels: ["cache"],
        help: "Things that made room for others."
    )
    static let cacheBytes = MetricDescription(
        "headroom_cache_bytes",
        .gauge,
        labels: ["cache"],
        help: "Memory of what is kept."
    )
    static let cacheLimit = MetricDescription(
        "headroom_cache_limit_bytes",
        .gauge,
        labels: ["cache"],
        help: "Memory that what is kept may have at most."
    )

    // Redis.

    static let redisConnected = MetricDescription(
        "headroom_redis_connected",
        .gauge,
        help: "1 while Redis is in use, else 0."
    )
    static let redisLookups = MetricDescription(
        "headroom_redis_lookups_total",
        .counter,
        labels: ["result"],
        help: "Things that Redis was to be asked for, by what came of it."
    )
    static let redisWrites = MetricDescription(
        "headroom_redis_writes_total",
        .counter,
        labels: ["result"],
        help: "Things that Redis was to keep, by what came of it."
    )
    static let redisFailures = MetricDescription(
        "headroom_redis_failures_total",
        .counter,
        help: "How often Redis went out of use."
    )
}
