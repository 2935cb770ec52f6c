import Telemetry

extension HeadroomMetrics {
    /// Metrics of the queue, the workers and the fetches.
    static let load = [
        queueLength, queueLimit, workers, busyWorkers, liveWorkers, bytesInFlight, byteLimit, runningFetches,
        waitingFetches, waitingFetchLimit, fetchLimit, sourceBytes,
    ]

    /// Metrics of worker processes.
    static let workerProcesses = [
        workerRestarts, workerEnds, workerRefusals, refusedSources, workerProcessorTime, workerMemory,
    ]

    // Load.

    static let queueLength = MetricDescription(
        "headroom_queue_length",
        .gauge,
        help: "Pictures waiting for a worker."
    )
    static let queueLimit = MetricDescription(
        "headroom_queue_limit",
        .gauge,
        help: "Maximum number of pictures waiting for a worker."
    )
    static let workers = MetricDescription("headroom_workers", .gauge, help: "Configured workers.")
    static let busyWorkers = MetricDescription(
        "headroom_workers_busy",
        .gauge,
        help: "Workers that are processing a picture."
    )
    static let liveWorkers = MetricDescription(
        "headroom_workers_alive",
        .gauge,
        help: "Workers that are idle or processing a picture."
    )
    static let bytesInFlight = MetricDescription(
        "headroom_inflight_bytes",
        .gauge,
        help: "Memory reserved for the pictures in process, in bytes."
    )
    static let byteLimit = MetricDescription(
        "headroom_inflight_limit_bytes",
        .gauge,
        help: "Maximum memory for all pictures in process, in bytes."
    )

    static let runningFetches = MetricDescription(
        "headroom_fetches_running",
        .gauge,
        help: "Fetches in progress."
    )
    static let waitingFetches = MetricDescription(
        "headroom_fetches_waiting",
        .gauge,
        help: "Fetches waiting for a slot."
    )
    static let waitingFetchLimit = MetricDescription(
        "headroom_fetches_waiting_limit",
        .gauge,
        help: "Maximum number of fetches waiting for a slot."
    )
    static let fetchLimit = MetricDescription(
        "headroom_fetches_limit",
        .gauge,
        help: "Maximum number of concurrent fetches."
    )
    static let sourceBytes = MetricDescription(
        "headroom_source_bytes",
        .gauge,
        help: "Memory of sources being fetched, waiting or processed, in bytes."
    )

    // Worker processes.

    static let workerRestarts = MetricDescription(
        "headroom_worker_restarts_total",
        .counter,
        help: "Worker processes started as replacements."
    )
    static let workerEnds = MetricDescription(
        "headroom_worker_ends_total",
        .counter,
        labels: ["cause"],
        help: "Worker exits and failed starts, by cause."
    )
    static let workerRefusals = MetricDescription(
        "headroom_worker_refusals_total",
        .counter,
        help: "Requests refused because their picture caused a worker exit."
    )
    static let refusedSources = MetricDescription(
        "headroom_refused_sources",
        .gauge,
        help: "Pictures currently refused because they caused a worker exit."
    )
    static let workerProcessorTime = MetricDescription(
        "headroom_worker_cpu_seconds_total",
        .counter,
        labels: ["worker"],
        help: "CPU time of the worker's current process, in seconds."
    )
    static let workerMemory = MetricDescription(
        "headroom_worker_resident_memory_bytes",
        .gauge,
        labels: ["worker"],
        help: "Resident memory of the worker's current process, in bytes."
    )
}
