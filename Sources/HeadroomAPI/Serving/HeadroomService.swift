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
        /// Limits on pixels.
        package var limits: PipelineLimits
        /// Workers, queue and memory.
        package var pool: PoolConfiguration

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

    /// The workers, for those who want to know how they are.
    package let workers: FrameService

    private let caches: ServiceCaches
    private let server: HTTPServer
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
        caches = ServiceCaches(configuration.caches, service: service, fetcher: fetcher, logger: logger)
        let handler = HeadroomHandler(
            service: service,
            caches: caches,
            readiness: readiness,
            access: configuration.access,
            crossOrigin: configuration.crossOrigin,
            caching: configuration.caching,
            logger: logger
        )
        server = HTTPServer(configuration: configuration.server, handler: handler, logger: logger)
        var bound: [BoundAddress] = []
        for address in configuration.addresses {
            bound.append(try server.bind(to: address))
        }
        addresses = bound
    }

    /// What the caches have done, and hold.
    package var cacheStatistics: ServiceCaches.Statistics { caches.statistics }

    /// Serves until ``shutdown()`` has finished.
    package func run() async { await server.run() }

    /// Stops accepting, answers what was accepted, and lets ``run()`` return.
    package func shutdown() {
        readiness.startDraining()
        server.shutdown()
    }
}
