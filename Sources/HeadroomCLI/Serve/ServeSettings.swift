import FramePipeline
import HTTPServer
import HeadroomAPI
import ImageCodec
import ImageSource
import LogLines
import Logging

/// The checked settings of `headroom serve`.
struct ServeSettings {
    var service: HeadroomService.Configuration
    let detector: DetectorChoice
    let isolation: IsolationChoice
    /// What a worker process may take for one picture.
    let jobTimeout: Duration
    let logLevel: Logger.Level
    let logFormat: LogFormat
    /// All of them, as they are told.
    var effective: [EffectiveSetting]

    /// Descriptors for connections, fetches (a socket, and a pair to wake it), worker processes, and the process's own.
    var neededOpenFiles: UInt {
        let workers = isolation == .process ? service.pool.workers * 4 : 0
        let metrics = service.metricsAddress == nil ? 0 : HeadroomService.maxMetricsConnections + 1
        return UInt(service.server.maxConnections + service.fetching.slots * 3 + workers + metrics + 64)
    }

    /// Checks options, environment and settings file.
    ///
    /// - Throws: A ``CommandFailure`` that names every wrong value.
    init(_ options: ServeOptions, environment: [String: String]) throws(CommandFailure) {
        var reader = SettingsReader(environment: environment, config: options.file.config)
        let addresses = Self.addresses(options, &reader)
        let pool = Self.pool(options, &reader)
        let queueTimeout = reader.value(Settings.queueTimeout, options.queueTimeout)
        let server = Self.server(options, &reader)
        let pixels = reader.value(Settings.maxPixels, options.maxPixels)
        let fetching = Self.fetching(options, &reader)
        let access = Self.access(options.access, &reader)
        let crossOrigin = reader.value(Settings.corsOrigins, options.access.corsOrigins)
        let caching = reader.value(Settings.cacheControl, options.cacheControl)
        let caches = Self.caches(options.caches, &reader)
        detector = reader.value(Settings.detector, options.detector)
        isolation = reader.value(Settings.isolation, options.isolation)
        jobTimeout = reader.value(Settings.jobTimeout, options.jobTimeout)
        logLevel = reader.value(Settings.logLevel, options.logLevel)
        logFormat = reader.value(Settings.logFormat, options.logFormat)
        let metricsAddress = reader.value(Settings.metricsAddress, options.metricsAddress)
        effective = reader.effective
        reader.refuseUnknown()
        if reader.errors.isEmpty {
            for problem in fetching.problems() { reader.refuse(problem) }
        }
        if !reader.errors.isEmpty { throw .usage(reader.errors) }
        var service = HeadroomService.Configuration(
            addresses: addresses,
            server: server,
            fetching: fetching,
            limits: PipelineLimits(decode: DecodeLimits(maxPixels: pixels), maxResultPixels: pixels),
            pool: pool
        )
        service.queueTimeout = queueTimeout
        service.access = access
        service.crossOrigin = crossOrigin ?? .none
        service.caching = caching
        service.caches = caches
        service.metricsAddress = metricsAddress
        self.service = service
    }

    private static func addresses(_ options: ServeOptions, _ reader: inout SettingsReader) -> [ListenAddress] {
        let host = reader.value(Settings.host, options.host)
        let port = reader.value(Settings.port, options.port)
        let path = reader.value(Settings.unixSocket, options.unixSocket)
        return [.tcp(host: host, port: UInt16(port))] + (path.map { [.unix(path: $0)] } ?? [])
    }

    private static func server(_ options: ServeOptions, _ reader: inout SettingsReader) -> HTTPServer.Configuration {
        var server = HTTPServer.Configuration()
        server.maxBodyBytes = reader.value(Settings.maxBodyBytes, options.maxBodyBytes)
        let uploads = reader.value(
            Settings.maxUploadMemory,
            options.maxUploadMemory,
            default: max(Settings.maxUploadMemory.standard, (server.maxBodyBytes >> 20) + 1)
        )
        server.maxBodyBytesInFlight = uploads << 20
        if server.maxBodyBytesInFlight < server.maxBodyBytes {
            reader.refuse("max-upload-memory=\(uploads) is less than one body of max-body-bytes may have.")
        }
        server.maxConnections = reader.value(Settings.maxConnections, options.maxConnections)
        server.maxConnectionsPerAddress = reader.value(
            Settings.maxConnectionsPerAddress,
            options.maxConnectionsPerAddress
        )
        server.headerTimeout = reader.value(Settings.headerTimeout, options.headerTimeout)
        server.bodyTimeout = reader.value(Settings.bodyTimeout, options.bodyTimeout)
        server.writeTimeout = reader.value(Settings.writeTimeout, options.writeTimeout)
        server.idleTimeout = reader.value(Settings.idleTimeout, options.idleTimeout)
        server.drainTimeout = reader.value(Settings.drainTimeout, options.drainTimeout)
        return server
    }

    private static func fetching(_ options: ServeOptions, _ reader: inout SettingsReader) -> ImageFetcher.Configuration
    {
        var fetching = Settings.fetching
        fetching.maxBytes = reader.value(Settings.maxSourceBytes, options.maxSourceBytes)
        fetching.allowsPrivateSources = reader.flag(Settings.allowPrivateSources, options.allowPrivateSources)
        fetching.allowedHosts = reader.value(Settings.allowHosts, options.access.allowHosts)
        fetching.connectTimeout = reader.value(Settings.connectTimeout, options.connectTimeout)
        fetching.timeout = reader.value(Settings.fetchTimeout, options.fetchTimeout)
        fetching.maxRedirects = reader.value(Settings.maxRedirects, options.maxRedirects)
        fetching.slots = reader.value(Settings.fetchSlots, options.fetchSlots)
        return fetching
    }

    private static func pool(_ options: ServeOptions, _ reader: inout SettingsReader) -> PoolConfiguration {
        let workers = reader.value(Settings.workers, options.workers)
        let queue = reader.value(Settings.queue, options.queue, default: max(Settings.queue.standard, 8 * workers))
        let mebibytes = reader.value(Settings.maxMemory, options.maxMemory)
        return .init(workers: workers, queueLimit: queue, maxBytesInFlight: mebibytes << 20)
    }
}
