import Addresses
import FaceDetection
import Fetching
import HTTPServer
import HeadroomAPI
import Imaging
import Logging
import Pipeline
import Requests
import Telemetry
import TestHTTP
import Testing
import Video
import Workers

/// A running service on a free port, with a client that checks every response against openapi.yaml.
struct TestService: Sendable {
    /// The options that tests change.
    struct Options {
        var workers = 2
        var queue = 256
        var queueTimeout = Duration.seconds(600)
        var isUnreadyWhenFull = false
        var maxPixels = 4_000_000
        var servesDamaged = true
        var allowsPrivateSources = true
        var maxBodyBytes = 4 << 20
        var maxSourceMemory = 256 << 20
        var maxUnsentBytes = ServerConfiguration().maxUnsentBytes
        var fetchTimeout = Duration.seconds(20)
        var fetchSlots = 8
        var fetchSlotsPerHost = 0
        var fetchWaitingLimit = 8
        var allowedPorts: Set<Int> = [80, 443]
        var allowedHosts: [HostPattern]?
        var deniedHosts: [HostPattern]?
        var rewrites = SourceRewrites()
        var cipher: URLCipher?
        var base: BaseURL?
        var names = NameLookup()
        var access = AccessPolicy()
        var crossOrigin = CrossOriginPolicy.none
        var trustedProxies = TrustedProxies()
        var caching = CachingPolicy()
        /// Disabled, because most tests count the jobs of each request.
        var caches = CacheConfiguration.none
        var log: LogRecorder?
        var logger: Logger?
        var metricsAddress: ListenAddress?
        var export: OTLPSettings?
        var tenantClock: @Sendable () -> Int = TenantLedger.monotonicTime
        var playground: Bool?
        var pathPrefix: PathPrefix?
        var publicURL: String?
        var purgeSecrets: [Secret] = []
        var urlFormats = URLFormatConfiguration()
        var overlays = OverlaySet()
        var missingImage: FallbackImage?
        var defaults = DefaultParameters()
        var ignoredParameters = IgnoredParameters()
        var tagHeaders = TagHeaders.standard
        var fixedFields = FixedFields()
        var fallbackImageStatus = FallbackImageStatus.standard
        var converters = ConverterSet()
        var presets = PresetSet([Self.avatar].compactMap(\.self))
        /// A preset that all tests have.
        private static let avatar = try? Preset("avatar", [("aspect", "1:1"), ("width", "40")])
        var streams = {
            var streams = StreamConfiguration()
            // No test measures time, and other load may delay every test.
            streams.maxDelay = .seconds(60)
            streams.idleTime = .seconds(60)
            streams.minBytesPerSecond = 0
            return streams
        }()
    }

    private let service: HeadroomService
    let port: UInt16

    /// The service with dlib's detector, shared by all tests that need real faces; it runs until the process ends.
    static let dlib = Result {
        let test = try TestService(model: .dlib)
        Task.detached { await test.service.run() }
        return test
    }

    /// A service with the default detector.
    static let standard = Result {
        let test = try TestService(model: .standard)
        Task.detached { await test.service.run() }
        return test
    }

    private init(model: FaceDetectorModel, _ options: Options = Options()) throws {
        var server = ServerConfiguration()
        server.maxBodyBytes = options.maxBodyBytes
        server.maxUnsentBytes = options.maxUnsentBytes
        var fetching = FetchConfiguration(userAgent: "Headroom/test")
        fetching.allowsPrivateSources = options.allowsPrivateSources
        fetching.maxBytes = options.maxBodyBytes
        fetching.maxBytesInHand = options.maxSourceMemory
        fetching.timeout = options.fetchTimeout
        fetching.slots = options.fetchSlots
        fetching.slotsPerHost = options.fetchSlotsPerHost
        fetching.waitingLimit = options.fetchWaitingLimit
        fetching.allowedPorts = options.allowedPorts
        fetching.rules.allowedHosts = options.allowedHosts
        fetching.rules.deniedHosts = options.deniedHosts
        fetching.rules.rewrites = options.rewrites
        fetching.rules.cipher = options.cipher
        fetching.base = options.base
        fetching.names = options.names
        var decode = DecodeLimits(maxPixels: options.maxPixels)
        decode.servesDamaged = options.servesDamaged
        var configuration = HeadroomService.Configuration(
            addresses: [.tcp(host: "127.0.0.1", port: 0)],
            server: server,
            fetching: fetching,
            limits: PipelineLimits(decode: decode, maxResultPixels: options.maxPixels),
            pool: .init(workers: options.workers, queueLimit: options.queue, maxBytesInFlight: 256 << 20)
        )
        configuration.queueTimeout = options.queueTimeout
        configuration.isUnreadyWhenFull = options.isUnreadyWhenFull
        configuration.reloadable.access = options.access
        configuration.reloadable.crossOrigin = options.crossOrigin
        configuration.reloadable.trustedProxies = options.trustedProxies
        configuration.reloadable.caching = options.caching
        configuration.caches = options.caches
        configuration.metricsAddress = options.metricsAddress
        configuration.playground = options.playground
        configuration.pathPrefix = options.pathPrefix
        configuration.publicURL = options.publicURL
        configuration.reloadable.purgeSecrets = options.purgeSecrets
        configuration.export = options.export
        configuration.tenantClock = options.tenantClock
        configuration.routes = URLFormats.routes
        configuration.reloadable.urlFormats = options.urlFormats.served
        configuration.reloadable.presets = options.presets
        configuration.reloadable.overlays = options.overlays
        configuration.reloadable.missingImage = options.missingImage
        configuration.reloadable.defaults = options.defaults
        configuration.reloadable.ignoredParameters = options.ignoredParameters
        configuration.reloadable.tagHeaders = options.tagHeaders
        configuration.reloadable.fixedFields = options.fixedFields
        configuration.reloadable.fallbackImageStatus = options.fallbackImageStatus
        configuration.converters = options.converters
        let streams = options.streams
        configuration.streams = { LiveStreams(streams, $0) }
        service = try HeadroomService(
            configuration,
            model: model,
            logger: options.logger ?? options.log?.logger ?? Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        port = service.addresses[0].port ?? 0
    }

    /// Runs a separate service while `body` runs.
    static func running<Result: Sendable>(
        _ detector: ScriptedDetector = ScriptedDetector(),
        _ options: Options = Options(),
        _ body: (TestService) async throws -> Result
    ) async throws -> Result {
        try await running(model: detector.model, options, body)
    }

    /// Runs a separate service with another detector while `body` runs.
    static func running<Result: Sendable>(
        model: FaceDetectorModel,
        _ options: Options = Options(),
        _ body: (TestService) async throws -> Result
    ) async throws -> Result {
        let test = try TestService(model: model, options)
        async let run: Void = test.service.run()
        do {
            let result = try await body(test)
            test.shutdown()
            await run
            return result
        } catch {
            test.shutdown()
            await run
            throw error
        }
    }

    /// The statistics of the caches.
    var caches: ServiceCaches.Statistics { service.cacheStatistics }

    /// The memory of fetched sources that are being received, waiting or in use, in bytes.
    var sourceMemory: Int { service.sourceMemory }

    /// The load of the workers.
    var load: PoolLoad { service.workers.load }

    func shutdown() { service.shutdown() }

    /// The separate address of /metrics, if any.
    var metricsPort: UInt16? { service.metricsAddress?.port }

    /// The counters of the service.
    var metrics: ServiceMetrics { service.metrics }

    /// The value of one series in the metrics, such as `requests_total{route="frame"}`; nil if it does not exist.
    func metric(_ series: String) -> Double? {
        let line = metrics.registry.exposition().split(separator: "\n").first { $0.hasPrefix("\(series) ") }
        return line.flatMap { Double($0.dropFirst(series.count + 1)) }
    }

    func client() throws -> TestClient { try TestClient(port: port) }

    /// Sends one request on a new connection.
    @discardableResult
    func request(
        _ method: String,
        _ target: String,
        headers: [(String, String)] = [],
        body: [UInt8] = [],
        at location: SourceLocation = #_sourceLocation
    ) async throws -> TestClient.Reply {
        let client = try client()
        try await client.send(method, target, headers: headers, body: body)
        let reply = try await client.reply(toHead: method == "HEAD")
        try Contract.shared.get().check(reply, to: method, target, at: location)
        return reply
    }

    /// The JSON response to an uploaded image; requires status 200.
    func document(
        _ target: String,
        posting image: [UInt8],
        at location: SourceLocation = #_sourceLocation
    ) async throws -> JSONValue {
        let reply = try await request("POST", target, body: image, at: location)
        try #require(reply.status == 200, "\(reply.text)", sourceLocation: location)
        return try JSONValue(json: reply.body)
    }
}
