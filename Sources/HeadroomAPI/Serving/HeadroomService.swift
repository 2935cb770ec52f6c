package import FaceDetection
package import FramePipeline
package import HTTPServer
package import ImageSource
package import Logging

/// The whole service: a server, the handler behind it, and what that needs.
package final class HeadroomService: Sendable {
    /// Everything that can be set.
    package struct Configuration: Sendable {
        /// Where to listen; at least one.
        package var addresses: [ListenAddress]
        /// The server's limits and timeouts.
        package var server: HTTPServer.Configuration
        /// Who may be asked for images, and the limits on that.
        package var fetching: ImageFetcher.Configuration
        /// Who may ask for pictures.
        package var access = AccessPolicy()
        /// Which web pages may read answers with scripts.
        package var crossOrigin = CrossOriginPolicy.none
        /// What caches are told.
        package var caching = CachingPolicy()
        /// What is kept here.
        package var caches = CacheConfiguration()
        /// Where /metrics is answered, and nothing else; nil to answer it wherever the rest is.
        package var metricsAddress: ListenAddress?
        /// Limits on pixels.
        package var limits: PipelineLimits
        /// Workers, queue and memory.
        package var pool: PoolConfiguration
        /// How long after a request is complete work on its picture must have begun.
        package var queueTimeout = Duration.seconds(10)

        /// All of it, as given.
        package init(
            addresses: [ListenAddress],
            server: HTTPServer.Configuration,
            fetching: ImageFetcher.Configuration,
            limits: PipelineLimits,
            pool: PoolConfiguration
        ) {
            self.addresses = addresses
            self.server = server
            self.fetching = fetching
            self.limits = limits
            self.pool = pool
        }
    }

    /// Where it really listens.
    package let addresses: [BoundAddress]

    /// Where /metrics is answered, if that has an address of its own.
    package let metricsAddress: BoundAddress?

    /// What is counted.
    package let metrics = ServiceMetrics()

    /// The workers, for those who want to know how they are.
    package let workers: FrameService

    private let server: HTTPServer
    private let handler: ReplaceableHandler
    private let metricsServer: HTTPServer?
    private let readiness = Readiness()

    /// Makes the detectors, for threads, and binds the addresses; nothing is served before ``run()``.
    ///
    /// - Throws: A ``SocketError`` when an address cannot be bound, or what the model throws.
    package convenience init(_ configuration: Configuration, model: FaceDetectorModel, logger: Logger) throws {
        let service = try FrameService(model: model, limits: configuration.limits, pool: configuration.pool)
        try self.init(configuration, service: service, logger: logger)
    }

    /// Starts worker processes and binds the addresses; nothing is served before ``run()``.
    ///
    /// - Throws: A ``SocketError`` when an address cannot be bound, or what keeps processes from starting.
    package convenience init(_ configuration: Configuration, processes: ProcessConfiguration, logger: Logger) throws {
        let service = try FrameService(
            processes: processes,
            limits: configuration.limits,
            pool: configuration.pool,
            logger: logger
        )
        try self.init(configuration, service: service, logger: logger)
    }

    private init(_ configuration: Configuration, service: FrameService, logger: Logger) throws {
        workers = service
        let fetcher = ImageFetcher(configuration: configuration.fetching, logger: logger)
        let caches = ServiceCaches(configuration.caches, service: service, fetcher: fetcher, logger: logger)
        let first = HeadroomHandler(
            service: service,
            caches: caches,
            readiness: readiness,
            access: configuration.access,
            crossOrigin: configuration.crossOrigin,
            caching: configuration.caching,
            queueTimeout: configuration.queueTimeout,
            metrics: metrics,
            servesMetrics: configuration.metricsAddress == nil,
            logger: logger
        )
        handler = ReplaceableHandler(first)
        server = HTTPServer(configuration: configuration.server, handler: handler, logger: logger)
        var bound: [BoundAddress] = []
        for address in configuration.addresses {
            bound.append(try server.bind(to: address))
        }
        addresses = bound
        if let address = configuration.metricsAddress {
            var limits = configuration.server
            limits.maxConnections = Self.maxMetricsConnections
            limits.loopCount = 1
            let handler = MetricsHandler(log: AccessLog(logger: logger, metrics: metrics))
            let metricsServer = HTTPServer(configuration: limits, handler: handler, logger: logger)
            metricsAddress = try metricsServer.bind(to: address)
            self.metricsServer = metricsServer
        } else {
            metricsAddress = nil
            metricsServer = nil
        }
        metrics.read(service, limits: configuration.pool)
        metrics.read(fetcher, slots: configuration.fetching.slots)
        metrics.read(readiness, of: service)
        metrics.read(server, limit: configuration.server.maxConnections)
        // The handler has the metrics.
        metrics.readCaches { [weak handler] in handler?.cacheStatistics.byName ?? [] }
        metrics.readRedis { [weak handler] in handler?.cacheStatistics.redis }
    }

    /// What the caches have done, and hold.
    package var cacheStatistics: ServiceCaches.Statistics { handler.cacheStatistics }
    /// More than those who collect metrics ever open at the same time.
    package static let maxMetricsConnections = 16

    /// Serves until ``shutdown()`` has finished.
    ///
    /// Metrics are answered to the end, if they have an address of their own.
    package func run() async {
        guard let metricsServer else { return await server.run() }
        async let metricsRun: Void = metricsServer.run()
        await server.run()
        metricsServer.shutdown()
        await metricsRun
    }

    /// Takes over what may change while the service runs: ``Configuration/access``, ``Configuration/crossOrigin`` and the
    /// hosts that ``Configuration/fetching`` allows.
    ///
    /// Requests that are being answered go on by the rules that they began with.
    package func adopt(_ configuration: Configuration) {
        handler.replace {
            $0.with(
                access: configuration.access,
                crossOrigin: configuration.crossOrigin,
                allowedHosts: configuration.fetching.allowedHosts
            )
        }
    }

    /// Stops accepting, answers what was accepted, and lets ``run()`` return.
    package func shutdown() {
        readiness.startDraining()
        server.shutdown()
    }
}
