import Caching
import Fetching
import HTTPServer
import HeadroomAPI
import Imaging
import Logging
import Pipeline
import Requests
import SystemLimits
import Telemetry
import Workers

/// The validated settings of `headroom serve`.
struct ServeSettings {
    var service: HeadroomService.Configuration
    let detector: DetectorChoice
    let isolation: IsolationChoice
    /// The time limit of a worker process for one picture.
    let jobTimeout: Duration
    let logLevel: Logger.Level
    let logFormat: LogFormat
    /// Whether the settings file has a setting.
    let hasFileEntries: Bool
    /// All settings with their origins, without secrets.
    var effective: [EffectiveSetting]
    /// A sentence for each environment variable `HEADROOM_…` that is no setting.
    let unknownVariables: [String]

    /// The number of descriptors for connections, fetches (a socket and a pair for wake-ups, twice with buckets),
    /// worker processes, and others.
    var neededOpenFiles: UInt {
        let workers = isolation == .process ? service.pool.workers * 4 : 0
        let metrics = service.metricsAddress == nil ? 0 : HeadroomService.maxMetricsConnections + 1
        let fetches = service.fetching.slots * (service.fetching.s3 == nil ? 3 : 6)
        return UInt(service.server.maxConnections + fetches + 3 * service.streams.maxStreams + workers + metrics + 64)
    }

    /// Reads and validates options, environment and settings file.
    ///
    /// - Throws: A ``CommandFailure`` that names every invalid value.
    init(_ options: ServeOptions, environment: [String: String]) throws(CommandFailure) {
        var reader = SettingsReader(environment: environment, config: options.file.config)
        let addresses = Self.addresses(options, &reader)
        let pool = Self.pool(options, &reader)
        let queueTimeout = reader.value(Settings.queueTimeout, options.queueTimeout)
        let isUnreadyWhenFull = reader.flag(Settings.unreadyWhenFull, options.unreadyWhenFull)
        let share = Self.memoryShare(workers: pool.workers)
        let server = Self.server(options, share, &reader)
        let pixels = reader.value(Settings.maxPixels, options.maxPixels)
        let avifPixels = reader.value(Settings.avifMaxPixels, options.avifMaxPixels)
        let frames = reader.value(Settings.maxFrames, options.maxFrames)
        let animationPixels = reader.value(Settings.maxAnimationPixels, options.maxAnimationPixels)
        let fetching = Self.fetching(options, queueTimeout: queueTimeout, share, &reader)
        let access = Self.access(options.access, &reader)
        let crossOrigin = reader.value(Settings.corsOrigins, options.access.corsOrigins)
        let caching = reader.value(Settings.cacheControl, options.cacheControl)
        let caches = Self.caches(options.caches, &reader)
        detector = reader.value(Settings.detector, options.detector)
        isolation = reader.value(Settings.isolation, options.isolation)
        let servesDamaged = reader.value(Settings.damaged, options.damaged)
        jobTimeout = reader.value(Settings.jobTimeout, options.jobTimeout)
        logLevel = reader.value(Settings.logLevel, options.logLevel)
        logFormat = reader.value(Settings.logFormat, options.logFormat)
        let playground = reader.value(Settings.playground, options.playground)
        let metricsAddress = reader.value(Settings.metricsAddress, options.metricsAddress)
        let overlays = Self.overlays(options.overlays, &reader)
        let grammars = Self.grammars(options.grammars, &reader)
        let presets = Self.presets(options.presets, besideGrammars: !grammars.names.isEmpty, &reader)
        let streams = StreamConfiguration(options.streams, &reader)
        var exportProblems: [String] = []
        let export = OTLPSettings.read(
            environment,
            name: "headroom",
            version: HeadroomVersion.current,
            &exportProblems
        )
        for problem in exportProblems { reader.refuse(problem) }
        effective = reader.effective
        hasFileEntries = reader.hasFileEntries
        unknownVariables = reader.unknownVariables()
        reader.refuseUnknown()
        if reader.errors.isEmpty {
            for problem in fetching.problems() { reader.refuse(problem) }
        }
        if !reader.errors.isEmpty { throw .usage(reader.errors) }
        var decode = DecodeLimits(maxPixels: pixels)
        decode.servesDamaged = servesDamaged
        var service = HeadroomService.Configuration(
            addresses: addresses,
            server: server,
            fetching: fetching,
            limits: PipelineLimits(
                decode: decode,
                maxResultPixels: pixels,
                maxExpensivePixels: avifPixels,
                maxFrames: frames,
                maxAnimationPixels: animationPixels,
                // A job gives up at half the time after which its worker process is killed.
                maxTime: jobTimeout / 2
            ),
            pool: pool
        )
        service.queueTimeout = queueTimeout
        service.isUnreadyWhenFull = isUnreadyWhenFull
        service.access = access
        service.crossOrigin = crossOrigin ?? .none
        service.caching = caching
        service.caches = caches
        service.playground = playground
        service.grammars = grammars
        service.overlays = overlays
        service.presets = presets
        service.metricsAddress = metricsAddress
        service.streams = streams
        service.export = export
        self.service = service
    }

    private static func addresses(_ options: ServeOptions, _ reader: inout SettingsReader) -> [ListenAddress] {
        let host = reader.value(Settings.host, options.host)
        let port = reader.value(Settings.port, options.port)
        let path = reader.value(Settings.unixSocket, options.unixSocket)
        return [.tcp(host: host, port: UInt16(port))] + (path.map { [.unix(path: $0)] } ?? [])
    }

    /// The share of the default budgets that the container's memory allows, with what the service and its workers need
    /// besides (docs/operations.md).
    private static func memoryShare(workers: Int) -> Double {
        let budgets = [
            Settings.maxMemory, Settings.maxUploadMemory, Settings.maxSourceMemory, Settings.maxUnsentMemory,
        ]
        return ContainerDefaults.current.share(
            of: budgets.map(\.standard).reduce(0, +),
            besides: 30 + 45 * workers + (CacheConfiguration().bytes >> 20)
        )
    }

    private static func scaled(_ setting: Setting<Int>, _ share: Double) -> Int {
        share < 1 ? max(32, Int(Double(setting.standard) * share)) : setting.standard
    }

    private static func server(
        _ options: ServeOptions,
        _ share: Double,
        _ reader: inout SettingsReader
    ) -> ServerConfiguration {
        var server = ServerConfiguration()
        server.maxBodyBytes = reader.value(Settings.maxBodyBytes, options.maxBodyBytes)
        let uploads = reader.value(
            Settings.maxUploadMemory,
            options.maxUploadMemory,
            default: max(scaled(Settings.maxUploadMemory, share), (server.maxBodyBytes >> 20) + 1)
        )
        server.maxBodyBytesInFlight = uploads << 20
        if server.maxBodyBytesInFlight < server.maxBodyBytes {
            reader.refuse("max-upload-memory=\(uploads) is less than the size of one body, max-body-bytes.")
        }
        let unsent = scaled(Settings.maxUnsentMemory, share)
        server.maxUnsentBytes = reader.value(Settings.maxUnsentMemory, options.maxUnsentMemory, default: unsent) << 20
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

    private static func fetching(
        _ options: ServeOptions,
        queueTimeout: Duration,
        _ share: Double,
        _ reader: inout SettingsReader
    ) -> FetchConfiguration {
        var fetching = Settings.fetching
        fetching.maxBytes = reader.value(Settings.maxSourceBytes, options.maxSourceBytes)
        let sources = reader.value(
            Settings.maxSourceMemory,
            options.maxSourceMemory,
            default: max(scaled(Settings.maxSourceMemory, share), (fetching.maxBytes >> 19) + 1)
        )
        fetching.maxBytesInHand = sources << 20
        if fetching.maxBytesInHand / 2 < fetching.maxBytes {
            reader.refuse("max-source-memory=\(sources) is less than two sources of max-source-bytes.")
        }
        fetching.allowsPrivateSources = reader.flag(Settings.allowPrivateSources, options.allowPrivateSources)
        fetching.allowedHosts = reader.value(Settings.allowHosts, options.access.allowHosts)
        fetching.connectTimeout = reader.value(Settings.connectTimeout, options.connectTimeout)
        fetching.timeout = reader.value(Settings.fetchTimeout, options.fetchTimeout)
        fetching.maxRedirects = reader.value(Settings.maxRedirects, options.maxRedirects)
        fetching.slots = reader.value(Settings.fetchSlots, options.fetchSlots)
        fetching.waitingLimit = reader.value(
            Settings.fetchQueue,
            options.fetchQueue,
            default: FetchConfiguration.waitingLimit(slots: fetching.slots, within: queueTimeout)
        )
        fetching.slotsPerHost = reader.value(
            Settings.fetchSlotsPerHost,
            options.fetchSlotsPerHost,
            default: (fetching.slots + 1) / 2
        )
        fetching.slotsPerClient = reader.value(Settings.fetchSlotsPerClient, options.fetchSlotsPerClient)
        addSources(options.sources, to: &fetching, &reader)
        return fetching
    }

    private static func pool(_ options: ServeOptions, _ reader: inout SettingsReader) -> PoolConfiguration {
        let workers = reader.value(Settings.workers, options.workers)
        let queue = reader.value(Settings.queue, options.queue, default: max(Settings.queue.standard, 8 * workers))
        let standard = max(64, scaled(Settings.maxMemory, memoryShare(workers: workers)))
        let mebibytes = reader.value(Settings.maxMemory, options.maxMemory, default: standard)
        return .init(workers: workers, queueLimit: queue, maxBytesInFlight: mebibytes << 20)
    }
}

extension ServeSettings {
    /// The keys and secrets that authorise requests.
    static func access(_ options: AccessOptions, _ reader: inout SettingsReader) -> AccessPolicy {
        var access = AccessPolicy(
            signingKeys: reader.secrets(Settings.signingKeys, file: options.keys.signingKeysFile),
            bearerSecrets: reader.secrets(Settings.bearerSecrets, file: options.bearerSecretsFile)
        )
        access.tenants = tenants(options.tenantsFile, besides: access, &reader)
        return access
    }

    /// The sizes of the caches, and the shared store.
    static func caches(_ options: CacheOptions, _ reader: inout SettingsReader) -> CacheConfiguration {
        var caches = CacheConfiguration(
            sourceBytes: reader.value(Settings.cacheSources, options.cacheSources) << 20,
            detectionBytes: reader.value(Settings.cacheDetections, options.cacheDetections) << 20,
            resultBytes: reader.value(Settings.cacheResults, options.cacheResults) << 20
        )
        caches.redis = reader.value(Settings.redis, options.redis)
        let passwordFile = reader.value(Settings.redisPasswordFile, options.redisPasswordFile)
        caches.redisTimeout = reader.value(Settings.redisTimeout, options.redisTimeout)
        if let passwordFile {
            caches.redis = redis(caches.redis, passwordFile: passwordFile, options.redisPasswordFile, &reader)
        }
        return caches
    }

    /// The longest password of Redis, in bytes.
    private static let maxPasswordBytes = 4096

    /// An address with the password of a file.
    private static func redis(
        _ address: RedisAddress?,
        passwordFile path: String,
        _ option: String?,
        _ reader: inout SettingsReader
    ) -> RedisAddress? {
        let name = reader.spelling(of: Settings.redisPasswordFile, option, path)
        guard let bytes = reader.bytes(of: path, atMost: maxPasswordBytes, for: name) else { return address }
        let password =
            String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        guard !password.isEmpty else {
            reader.refuse("\(name) is not valid: expected a password in the file.")
            return address
        }
        guard let address else {
            reader.refuse("\(name) is not valid: expected a setting redis, or none of both.")
            return nil
        }
        guard !address.hasPassword else {
            reader.refuse("\(name) is not valid: expected an address of Redis without a password.")
            return address
        }
        return address.with(password: password)
    }
}
