import UntrustedText
import Admission
package import Caching
import Fetching
import HTTPServer
import HTTPTypes
import Requests
import Telemetry
import Workers

/// The metrics that are read at each scrape, in one table for each data source.
///
/// ``ServiceMetrics`` contains the metrics that are counted.
private enum ReadMetrics {
    static let readiness: [ReadMetric<Bool>] = [
        .gauge("headroom_ready", help: "1 while /readyz returns 200, otherwise 0.") { $0 ? 1 : 0 }
    ]

    static let restarts: [ReadMetric<Int>] = [
        .counter("headroom_service_restarts_total", help: "Service processes started as replacements.") { $0 }
    ]

    static let server: [ReadMetric<(server: HTTPServer, limit: Int)>] = [
        .gauge("headroom_http_connections", help: "Open connections.") { $0.server.connectionCount },
        .gauge("headroom_http_connections_limit", help: "Maximum number of open connections.") { $0.limit },
        .counter(
            "headroom_http_connections_evicted_total",
            help: "Idle connections closed to make room for new ones at a connection limit."
        ) { $0.server.evictedConnections },
        .gauge("headroom_http_body_bytes", help: "Memory of uploads being received or processed, in bytes.") {
            $0.server.bodyBytes
        },
        .gauge("headroom_http_unsent_bytes", help: "Response bytes not yet sent.") { $0.server.unsentBytes },
    ]

    static let tenants: [ReadMetric<TenantLedger.Usage>] = [
        .counters(
            "headroom_tenant_requests_total",
            labels: ["tenant", "outcome"],
            help: "Requests of tenants: accepted, or rejected by a limit."
        ) { usage in
            [(["granted"], usage.admitted)]
                + TenantRefusal.Limit.allCases.map { ([$0.rawValue], usage.refused[$0] ?? 0) }
        },
        .counter(
            "headroom_tenant_cpu_seconds_total",
            labels: ["tenant"],
            help: "CPU time of the jobs of tenants, in seconds."
        ) { $0.processorTime / .seconds(1) },
    ]

    static let export: [ReadMetric<OTLPExporter.Statistics>] = [
        .counters(
            "headroom_otlp_exports_total",
            labels: ["signal", "result"],
            help: "Requests to the collector, by signal and result."
        ) { statistics in
            ["traces", "metrics"].flatMap { signal in
                [true, false].map { isTaken in
                    let count = statistics.exports[.init(signal: signal, isTaken: isTaken)] ?? 0
                    return ([signal, isTaken ? "taken" : "failed"], count)
                }
            }
        },
        .counter("headroom_otlp_spans_total", help: "Spans that the collector accepted.") { $0.spans },
        .counter(
            "headroom_otlp_spans_dropped_total",
            help: "Spans dropped because the queue was full or the collector did not accept them."
        ) { $0.droppedSpans },
        .gauge("headroom_otlp_spans_waiting", help: "Spans waiting for export.") { $0.waitingSpans },
    ]

    static let log: [ReadMetric<LineOutput>] = [
        .counter("headroom_log_lines_dropped_total", help: "Log lines dropped because nothing read the log.") {
            $0.droppedLines
        }
    ]

    static let workers: [ReadMetric<(service: WorkerService, load: PoolLoad, limits: PoolConfiguration)>] = [
        .gauge("headroom_queue_length", help: "Images waiting for a worker.") { $0.load.waiting },
        .gauge("headroom_queue_limit", help: "Maximum number of images waiting for a worker.") {
            $0.limits.queueLimit
        },
        .gauge("headroom_workers", help: "Configured workers.") { $0.limits.workers },
        .gauge("headroom_workers_busy", help: "Workers that are processing an image.") { $0.load.running },
        .gauge("headroom_workers_alive", help: "Workers that are idle or processing an image.") {
            $0.service.processCounters?.alive ?? $0.limits.workers
        },
        .gauge("headroom_inflight_bytes", help: "Memory reserved for images in progress, in bytes.") {
            $0.load.bytesInFlight
        },
        .gauge("headroom_inflight_limit_bytes", help: "Maximum memory for all images in progress, in bytes.") {
            $0.limits.maxBytesInFlight
        },
    ]

    static let fetches: [ReadMetric<(fetcher: ImageFetcher, limits: FetchConfiguration)>] = [
        .gauge("headroom_fetches_running", help: "Fetches in progress.") { $0.fetcher.load.running },
        .gauge("headroom_fetches_waiting", help: "Fetches waiting for a slot.") { $0.fetcher.load.waiting },
        .gauge("headroom_fetches_waiting_limit", help: "Maximum number of fetches waiting for a slot.") {
            $0.limits.waitingLimit
        },
        .gauge("headroom_fetches_limit", help: "Maximum number of concurrent fetches.") { $0.limits.slots },
        .gauge("headroom_source_bytes", help: "Memory of sources being fetched, waiting or processed, in bytes.") {
            $0.fetcher.budget.used
        },
    ]

    static let processes: [ReadMetric<ProcessCounters>] = [
        .counter("headroom_worker_restarts_total", help: "Worker processes started as replacements.") { $0.restarts },
        .counters("headroom_worker_ends_total", labels: ["cause"], help: "Worker exits and failed starts, by cause.") {
            counters in WorkerExit.Cause.allCases.map { ([$0.rawValue], counters.ends[$0] ?? 0) }
        },
        .counter(
            "headroom_worker_refusals_total",
            help: "Requests rejected because their image caused a worker exit."
        ) { $0.refusals },
        .gauge(
            "headroom_refused_sources",
            help: "Images currently rejected because they caused a worker exit."
        ) { $0.crashQuarantine },
    ]

    static let converters: [ReadMetric<ConverterCounters>] = [
        .counters(
            "headroom_converter_runs_total",
            labels: ["use", "format", "outcome"],
            help:
                "Runs of converters, by outcome; use is input for files that they read, output for videos that they write."
        ) { counters in ConverterCounters.Outcome.allCases.map { ([$0.rawValue], counters.runs[$0] ?? 0) } },
        .counter(
            "headroom_converter_seconds_total",
            labels: ["use", "format"],
            help: "Time of the runs of converters, in seconds."
        ) { $0.elapsedTime / .seconds(1) },
        .counter(
            "headroom_converter_cpu_seconds_total",
            labels: ["use", "format"],
            help: "CPU time of the runs of converters, in seconds."
        ) { $0.processorTime / .seconds(1) },
    ]

    static let process: [ReadMetric<ProcessStatistics>] = [
        .counter(
            "headroom_worker_cpu_seconds_total",
            labels: ["worker"],
            help: "CPU time of the worker's current process, in seconds."
        ) { $0.processorSeconds },
        .gauge(
            "headroom_worker_resident_memory_bytes",
            labels: ["worker"],
            help: "Resident memory of the worker's current process, in bytes."
        ) { $0.residentBytes },
    ]

    static let caches: [ReadMetric<CacheStatistics>] = [
        .counter("headroom_cache_hits_total", labels: ["cache"], help: "Cache hits.") { $0.hits },
        .counter("headroom_cache_misses_total", labels: ["cache"], help: "Cache misses.") { $0.misses },
        .counter("headroom_cache_shared_hits_total", labels: ["cache"], help: "Misses that Redis served.") {
            $0.sharedHits
        },
        .counter(
            "headroom_cache_joins_total",
            labels: ["cache"],
            help: "Requests that joined work in progress (single flight)."
        ) { $0.joined },
        .counter("headroom_cache_stores_total", labels: ["cache"], help: "Entries stored.") { $0.stores },
        .counter("headroom_cache_evictions_total", labels: ["cache"], help: "Entries evicted to make room.") {
            $0.evictions
        },
        .gauge("headroom_cache_bytes", labels: ["cache"], help: "Memory of the entries, in bytes.") { $0.bytes },
        .gauge("headroom_cache_limit_bytes", labels: ["cache"], help: "Maximum memory of the entries, in bytes.") {
            $0.budget
        },
    ]

    static let redis: [ReadMetric<RedisStatistics>] = [
        .gauge("headroom_redis_connected", help: "1 while Redis is available, otherwise 0.") { $0.isConnected ? 1 : 0 },
        .counters("headroom_redis_lookups_total", labels: ["result"], help: "Redis lookups, by result.") {
            [(["hit"], $0.hits), (["miss"], $0.misses), (["late"], $0.late), (["skipped"], $0.skipped)]
        },
        .counters("headroom_redis_writes_total", labels: ["result"], help: "Redis writes, by result.") {
            [(["taken"], $0.writes), (["dropped"], $0.droppedWrites)]
        },
        .counter("headroom_redis_failures_total", help: "Failures that made Redis unavailable.") { $0.failures },
    ]

    static let resultStore: [ReadMetric<StoreStatistics>] = [
        .gauge("headroom_result_store_available", help: "1 while the result store is available, otherwise 0.") {
            $0.isAvailable ? 1 : 0
        },
        .counters(
            "headroom_result_store_lookups_total",
            labels: ["result"],
            help: "Lookups in the result store, by result."
        ) {
            [
                (["hit"], $0.hits), (["miss"], $0.misses), (["late"], $0.late), (["failed"], $0.failed),
                (["skipped"], $0.skipped),
            ]
        },
        .counters(
            "headroom_result_store_writes_total",
            labels: ["result"],
            help: "Writes to the result store, by result."
        ) {
            [(["taken"], $0.writes), (["dropped"], $0.droppedWrites), (["failed"], $0.failedWrites)]
        },
        .counter("headroom_result_store_damaged_total", help: "Damaged results that were found and removed.") {
            $0.damaged
        },
    ]

    static let resultFolder: [ReadMetric<StoreUsage>] = [
        .gauge("headroom_result_store_bytes", help: "Known size of the folder of results, in bytes.") { $0.bytes },
        .gauge("headroom_result_store_limit_bytes", help: "Maximum size of the folder of results, in bytes.") {
            $0.limit
        },
        .counter("headroom_result_store_evictions_total", help: "Results removed from the folder to make room.") {
            $0.evictions
        },
    ]
}

extension ServiceMetrics {
    /// All metrics that are read at each scrape, including metrics of optional features.
    static var read: [MetricDescription] {
        let ofService = ReadMetrics.readiness.map(\.description) + ReadMetrics.restarts.map(\.description)
        let ofServer = ofService + ReadMetrics.server.map(\.description)
        let ofClients =
            ReadMetrics.tenants.map(\.description) + ReadMetrics.export.map(\.description)
            + ReadMetrics.log.map(\.description)
        let ofLoad = ReadMetrics.workers.map(\.description) + ReadMetrics.fetches.map(\.description)
        let ofProcesses =
            ReadMetrics.processes.map(\.description) + ReadMetrics.converters.map(\.description)
            + ReadMetrics.process.map(\.description)
        let ofCaches = ReadMetrics.caches.map(\.description) + ReadMetrics.redis.map(\.description)
        let ofStore = ReadMetrics.resultStore.map(\.description) + ReadMetrics.resultFolder.map(\.description)
        return ofServer + ofClients + ofLoad + ofProcesses + ofCaches + ofStore
    }

    /// Adds metrics for the workers, the fetches, the readiness and the connections of a service; they are read at each
    /// scrape.
    func read(
        _ service: WorkerService,
        _ fetcher: ImageFetcher,
        _ readiness: Readiness,
        _ server: HTTPServer,
        _ pool: PoolConfiguration,
        _ fetching: FetchConfiguration,
        maxConnections: Int
    ) {
        registry.read(ReadMetrics.workers) { (service, service.load, pool) }
        // With worker threads, the value is nil and the list is empty.
        registry.read(ReadMetrics.processes) { service.processCounters }
        registry.read(ReadMetrics.process) {
            guard service.processCounters != nil else { return [] }
            let workers = service.processIDsByWorker.map { ("\($0.worker)", $0.processID) }
            let spare = service.spareProcessID.map { [("spare", $0)] } ?? []
            return (workers + spare).compactMap { worker, processID in
                // The process may have exited since the list was read.
                ProcessStatistics(of: processID).map { ([worker], $0) }
            }
        }
        registry.read(ReadMetrics.fetches) { (fetcher, fetching) }
        registry.read(ReadMetrics.readiness) { readiness.obstacles(of: service).isEmpty }
        // Weak, because the server retains the handler, which retains these metrics.
        registry.read(ReadMetrics.server) { [weak server] in server.map { ($0, maxConnections) } }
    }

    /// Reads the runs of the converters at each scrape.
    func read(_ converters: ConverterSet, of service: WorkerService) {
        let uses = converters.uses
        registry.read(ReadMetrics.converters) {
            let counters = service.converterCounters
            return uses.map { ([$0.word, $0.format], counters[$0] ?? ConverterCounters()) }
        }
    }

    /// Adds a metric for the number of service processes that ended before this process.
    func read(restarts: Int) { registry.read(ReadMetrics.restarts) { restarts } }

    func read(_ tenants: TenantLedger) {
        registry.read(ReadMetrics.tenants) { tenants.usage.map { ([$0.tenant], $0) } }
    }

    func read(_ log: LineOutput) { registry.read(ReadMetrics.log) { log } }

    func read(_ exporter: OTLPExporter) {
        // Weak, because the exporter retains the registry.
        registry.read(ReadMetrics.export) { [weak exporter] in exporter?.statistics }
    }

    /// Adds metrics for the caches, which are read at each scrape.
    ///
    /// The name of a cache never changes.
    package func readCaches(_ figures: @escaping @Sendable () -> [(name: String, figures: CacheStatistics)]) {
        registry.read(ReadMetrics.caches) { figures().map { ([$0.name], $0.figures) } }
    }

    /// Adds metrics for the result store, which are read at each scrape; without a store, they have no values.
    package func readResultStore(_ figures: @escaping @Sendable () -> StoreStatistics?) {
        registry.read(ReadMetrics.resultStore, figures)
        registry.read(ReadMetrics.resultFolder) { figures()?.usage }
    }

    /// Adds metrics for Redis, which are read at each scrape; without Redis, they have no values.
    package func readRedis(_ figures: @escaping @Sendable () -> RedisStatistics?) {
        registry.read(ReadMetrics.redis, figures)
    }
}

extension ServiceMetrics {
    /// Returns the response to `/metrics`: all metrics in the Prometheus exposition format, or in OpenMetrics if the
    /// client accepts OpenMetrics by name, as Prometheus does.
    func response(accept: String?) -> ServerResponse {
        let isOpenMetrics = accept?.bytes.lowercased().bytes.contains("application/openmetrics-text") == true
        let syntax: ExpositionFormat.Syntax = isOpenMetrics ? .openMetrics : .prometheus
        return ServerResponse(
            status: .ok,
            headers: [.contentType: syntax.contentType, .vary: "Accept", .cacheControl: "no-store"],
            body: Array(registry.exposition(syntax).utf8)
        )
    }
}
