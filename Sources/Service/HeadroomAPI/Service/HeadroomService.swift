import Admission
import Dispatch
package import FaceDetection
package import Fetching
package import HTTPServer
package import Logging
package import Pipeline
import Requests
package import Telemetry
package import Workers

/// The service: HTTP server, handler, caches and workers.
package final class HeadroomService: Sendable {
    /// The settings of a service when it starts.
    package struct Configuration: Sendable {
        /// The listening addresses; at least one.
        package var addresses: [ListenAddress]
        /// The public URL of the service, without a slash at its end; nil if it is not known.
        package var publicURL: String?
        /// The path prefix of the service; nil for none.
        package var pathPrefix: PathPrefix?
        /// The server's limits and timeouts.
        package var server: ServerConfiguration
        /// All routes, whether settings enable them or not.
        package var routes = RouteTable()
        /// The settings that a reload replaces while the service runs.
        package var reloadable = ReloadableSettings()
        /// Allowed origins and the limits of fetches.
        ///
        /// Its rules are part of ``reloadable``.
        package var fetching: FetchConfiguration {
            get {
                var fetching = fetchLimits
                fetching.rules = reloadable.fetchRules
                return fetching
            }
            set {
                fetchLimits = newValue
                reloadable.fetchRules = newValue.rules
            }
        }
        /// The value of ``fetching``; its rules are ignored.
        private var fetchLimits: FetchConfiguration
        package var caches = CacheConfiguration()
        /// A separate address for `/metrics`; nil serves it on ``addresses``.
        package var metricsAddress: ListenAddress?
        /// Keeps the listening sockets open for a later process; nil if there will be no later process.
        package var socketKeeper: SocketKeeper?
        /// The number of service processes that ended before this one.
        package var restarts = 0
        /// Whether `/` is the playground; nil enables it only if access needs no credentials.
        package var playground: Bool?
        /// Creates the server of live streams; nil for a service without live streams.
        package var streams: StreamServer.Maker?
        package var limits: PipelineLimits
        package var pool: PoolConfiguration
        /// The converters of files that the workers do not read.
        package var converters = ConverterSet()
        /// The maximum time between a complete request and the start of work on its image.
        package var queueTimeout = Duration.seconds(10)
        /// The clock of tenants' allowances, in microseconds; tests replace it.
        package var tenantClock: @Sendable () -> Int = TenantLedger.monotonicTime
        /// The destination of exported traces and metrics; nil for no export.
        package var export: OTLPSettings?
        /// The output of the log, whose dropped lines a metric counts; nil for another output.
        package var logOutput: LineOutput?
        /// Whether `/readyz` is 503 while the queue is full.
        package var isUnreadyWhenFull = false

        /// Creates a configuration with defaults for all other settings.
        ///
        /// - Parameters:
        ///   - addresses: The listening addresses; at least one.
        ///   - server: The server's limits and timeouts.
        ///   - fetching: Allowed origins and the limits of fetches.
        ///   - limits: Limits of each job.
        ///   - pool: The number of workers, and the limits of their queue.
        package init(
            addresses: [ListenAddress],
            server: ServerConfiguration,
            fetching: FetchConfiguration,
            limits: PipelineLimits,
            pool: PoolConfiguration
        ) {
            self.addresses = addresses
            self.server = server
            fetchLimits = fetching
            reloadable.fetchRules = fetching.rules
            self.limits = limits
            self.pool = pool
        }
    }

    package let addresses: [BoundAddress]

    /// The bound address of `/metrics`, if separate.
    package let metricsAddress: BoundAddress?

    package let metrics: ServiceMetrics

    package let workers: WorkerService

    private let sourceBudget: ByteBudget
    private let server: HTTPServer
    private let handler: ReplaceableHandler
    private let metricsServer: HTTPServer?
    private let readiness: Readiness
    private let exporter: OTLPExporter?

    /// Creates detectors on threads and binds the addresses.
    ///
    /// Call ``run()`` to start serving.
    ///
    /// - Throws: A ``SocketError`` when an address cannot be bound, or an error of the model.
    package convenience init(_ configuration: Configuration, model: FaceDetectorModel, logger: Logger) throws {
        let service = try WorkerService(model: model, limits: configuration.limits, pool: configuration.pool)
        try self.init(configuration, service: service, logger: logger)
    }

    /// Starts worker processes and binds the addresses.
    ///
    /// Call ``run()`` to start serving.
    ///
    /// - Throws: A ``SocketError`` when an address cannot be bound, or an error when processes cannot start.
    package convenience init(_ configuration: Configuration, processes: ProcessConfiguration, logger: Logger) throws {
        let service = try WorkerService(
            processes: processes,
            limits: configuration.limits,
            pool: configuration.pool,
            logger: logger
        )
        try self.init(configuration, service: service, logger: logger)
    }

    private init(_ configuration: Configuration, service: WorkerService, logger: Logger) throws {
        workers = service
        readiness = Readiness(countsFullQueue: configuration.isUnreadyWhenFull)
        let fetcher = ImageFetcher(configuration: configuration.fetching, logger: logger)
        sourceBudget = fetcher.budget
        let caches = ServiceCaches(configuration.caches, service: service, fetcher: fetcher, logger: logger)
        let tenants = TenantLedger(shared: caches.sharedBuckets, now: configuration.tenantClock)
        let metrics = ServiceMetrics(configuration.routes)
        self.metrics = metrics
        exporter = try configuration.export.map { settings in
            let exporter = OTLPExporter(
                settings,
                registry: metrics.registry,
                logger: logger,
                send: try CollectorSender(settings, userAgent: configuration.fetching.userAgent).send
            )
            metrics.read(exporter)
            return exporter
        }
        var images = ImageService(workers: service, caches: caches, queueTimeout: configuration.queueTimeout)
        images.converters = configuration.converters
        let first = HeadroomHandler(
            images: images,
            readiness: readiness,
            routes: configuration.routes,
            metrics: metrics,
            playground: configuration.playground,
            tenants: tenants,
            streams: configuration.streams?(metrics.registry),
            tracer: exporter.map { RequestTracer($0) },
            logger: logger
        )
        handler = ReplaceableHandler(first.with(configuration))
        let entry: any HTTPHandler & ServerHooks =
            if let prefix = configuration.pathPrefix {
                PrefixedHandler(prefix: prefix, handler: handler)
            } else {
                handler
            }
        let server = HTTPServer(configuration: configuration.server, handler: entry, hooks: entry, logger: logger)
        self.server = server
        addresses = try configuration.addresses.map { address throws(SocketError) in
            try server.bind(to: address, keeper: configuration.socketKeeper)
        }
        if let address = configuration.metricsAddress {
            var limits = configuration.server
            limits.maxConnections = Self.maxMetricsConnections
            limits.loopCount = 1
            let handler = MetricsHandler(log: AccessLog(logger: logger, metrics: metrics))
            let metricsServer = HTTPServer(
                configuration: limits,
                handler: handler,
                hooks: PlainHooks(MetricsHandler.refusal),
                logger: logger
            )
            metricsAddress = try metricsServer.bind(to: address, keeper: configuration.socketKeeper)
            self.metricsServer = metricsServer
        } else {
            metricsAddress = nil
            metricsServer = nil
        }
        metrics.read(restarts: configuration.restarts)
        metrics.read(
            service,
            fetcher,
            readiness,
            server,
            configuration.pool,
            configuration.fetching,
            maxConnections: configuration.server.maxConnections
        )
        if !configuration.converters.isEmpty { metrics.read(configuration.converters, of: service) }
        // Weak references, because the handler retains the metrics.
        metrics.readCaches { [weak handler] in handler?.cacheStatistics.byName ?? [] }
        metrics.read(tenants)
        if let output = configuration.logOutput { metrics.read(output) }
        metrics.readRedis { [weak handler] in handler?.cacheStatistics.redis }
        metrics.readResultStore { [weak handler] in handler?.cacheStatistics.resultStore }
    }

    /// All metrics that a service can have, except the metrics of a ``StreamServer``.
    ///
    /// Tests compare the documents, the dashboard and the alerting rules with these metrics.
    package static var allMetrics: [MetricDescription] {
        ServiceMetrics().registry.descriptions + ServiceMetrics.read
    }

    package var cacheStatistics: ServiceCaches.Statistics { handler.cacheStatistics }

    /// Memory of fetched sources that are being received, waiting or in use, in bytes.
    package var sourceMemory: Int { sourceBudget.used }

    /// The connection limit of the metrics address.
    ///
    /// Collectors open fewer connections.
    package static let maxMetricsConnections = 16

    /// Time limit of the final export, after the last request.
    package static let exportTimeAtEnd = Duration.seconds(2)

    /// Serves until ``shutdown()`` has finished.
    ///
    /// A separate metrics address remains available until the main server has stopped.
    package func run() async {
        exporter?.run()
        let purging = handler.sharesPurges ? Task { await readPurges() } : nil
        defer { purging?.cancel() }
        if let metricsServer {
            async let metricsRun: Void = metricsServer.run()
            await server.run()
            metricsServer.shutdown()
            await metricsRun
        } else {
            await server.run()
        }
        // Runs outside the cooperative pool, because it blocks.
        guard let exporter else { return }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                exporter.stop(within: Self.exportTimeAtEnd)
                continuation.resume()
            }
        }
    }

    /// The interval between checks for purges by other processes.
    static let purgeInterval = Duration.seconds(1)

    /// Purges the sources that other processes announce, until the task is cancelled.
    private func readPurges() async {
        var time: Int?
        while !Task.isCancelled {
            if let next = await handler.purgeAnnounced(since: time) { time = next }
            try? await Task.sleep(for: Self.purgeInterval)
        }
    }

    /// Replaces ``Configuration/reloadable`` while the service runs.
    ///
    /// Requests in progress finish with the previous settings.
    package func adopt(_ settings: ReloadableSettings) { handler.adopt(settings) }

    /// Stops accepting connections and completes the requests in progress; then ``run()`` returns.
    package func shutdown() {
        readiness.startDraining()
        server.shutdown()
    }
}
