import Caching
import Fetching
import HTTPServer
package import HeadroomAPI
import Imaging
import Logging
import Pipeline
import Requests
import SystemLimits
import Telemetry
import Workers

/// The validated settings of `headroom serve`.
package struct ServeSettings {
    /// The defaults, before the host or other settings change them.
    static let standard = ServeSettings()

    /// The settings of the service; a reload replaces its `reloadable` part.
    package var service: HeadroomService.Configuration
    /// The other services whose URL formats are served, and their keys.
    var urlFormats = Self.noURLFormats
    /// The limits of live streams.
    var streams = Self.standardStreams
    var detector = Settings.detector.standard
    var isolation = Settings.isolation.standard
    /// The time limit of a worker process for one image.
    var jobTimeout = Settings.jobTimeout.standard
    var logLevel = Logger.Level.info
    var logFormat = LogFormat.text
    /// Whether the settings file contains a setting.
    private(set) var hasFileEntries = false
    /// All settings with their origins, without secrets.
    var effective: [EffectiveSetting] = []
    /// The given settings that are mappings of the settings file.
    private(set) var mappings: [EffectiveSetting] = []
    /// A sentence for each environment variable `HEADROOM_…` that is not a setting.
    private(set) var unknownVariables: [String] = []
    /// A sentence for each deprecated name in the options, the environment and the files.
    private(set) var deprecated: [String] = []

    private init() {
        let maxBytes = Settings.maxMemory.standard << 20
        service = HeadroomService.Configuration(
            addresses: [],
            server: ServerConfiguration(),
            fetching: Settings.fetching,
            limits: PipelineLimits(maxExpensivePixels: 2_000_000),
            pool: PoolConfiguration(workers: 1, queueLimit: Settings.queue.standard, maxBytesInFlight: maxBytes)
        )
    }

    /// The number of descriptors for connections, fetches (a socket and a pair for wake-ups, twice with buckets),
    /// worker processes, and others.
    var neededOpenFiles: UInt {
        let workers = isolation == .process ? service.pool.workers * 4 : 0
        let metrics = service.metricsAddress == nil ? 0 : HeadroomService.maxMetricsConnections + 1
        let fetches = service.fetching.slots * (service.fetching.rules.objectSchemes.isEmpty ? 3 : 6)
        let store = service.caches.resultStore == nil ? 0 : ResultStoreConfiguration.maxOpenFiles
        return UInt(service.server.maxConnections + fetches + 3 * maxStreams + workers + metrics + store + 64)
    }

    /// Reads and validates options, environment and settings file.
    ///
    /// - Throws: A ``CommandFailure`` with every invalid value.
    init(_ options: ServeOptions, environment: [String: String]) throws(CommandFailure) {
        self.init()
        var reader = SettingsReader(
            environment: environment,
            config: options.file.config,
            oldOptions: options.deprecated.values
        )
        service.addresses = Self.addresses(options, &reader)
        service.pathPrefix = reader.value(Settings.pathPrefix, options.pathPrefix)
        service.publicURL = reader.value(Settings.publicURL, options.publicURL)
        service.pool = Self.pool(options, &reader)
        let share = Self.memoryShare(workers: service.pool.workers)
        read(ServeRows.waiting, options, &reader)
        readUploads(options, share, &reader)
        read(ServeRows.connections + ServeRows.images, options, &reader)
        // Read before the sources, because a bucket of results needs the settings of the S3 service.
        service.caches.resultStore = Self.resultStore(options.caches, &reader)
        readSources(options, share, &reader)
        service.reloadable.access = Self.access(options.access, &reader)
        service.reloadable.purgeSecrets = reader.secrets(Settings.purgeSecrets, file: options.access.purgeSecretsFile)
        read(ServeRows.responses, options, &reader)
        service.reloadable.fixedFields = Self.fixedFields(options.caches.responseHeadersFile, &reader)
        checkCrossOrigin(&reader)
        service.caches.redis = Self.redis(options.caches, &reader)
        read(ServeRows.processing, options, &reader)
        readConverters(&reader)
        service.reloadable.overlays = Self.overlays(options.overlays, &reader)
        service.reloadable.missingImage = fallbackImage(options.missingImage, &reader)
        readURLFormats(options, &reader)
        service.reloadable.presets = Self.presets(options.presets, besideURLFormats: servesURLFormats, &reader)
        service.reloadable.defaults = Self.defaults(options.presets.defaultParameters, &reader)
        readStreams(options, &reader)
        var exportProblems: [String] = []
        service.export = OTLPSettings.read(
            environment,
            name: "headroom",
            version: HeadroomVersion.current,
            &exportProblems
        )
        for problem in exportProblems { reader.refuse(problem) }
        effective = reader.effective
        mappings = reader.mappings
        hasFileEntries = reader.hasFileEntries
        unknownVariables = reader.unknownVariables()
        deprecated = reader.deprecated
        reader.refuseUnknown()
        if reader.errors.isEmpty {
            for problem in service.fetching.problems() { reader.refuse(problem) }
        }
        if !reader.errors.isEmpty { throw .usage(reader.errors) }
        service.limits.maxBytes = service.pool.maxBytesInFlight
        service.limits.decode.maxPixels = service.limits.maxResultPixels
        // A job stops itself after half of the time limit of its worker process.
        service.limits.maxTime = jobTimeout / 2
    }

    /// Reads the converters, and checks that their memory fits into the budgets.
    private mutating func readConverters(_ reader: inout SettingsReader) {
        reader.read(&service.converters)
        let set = service.converters
        let named =
            set.byFormat.map { ($0.key.rawValue, $0.value) }
            + set.byVideoFormat.map { ("\(ConverterEntries.output).\($0.key.rawValue)", $0.value) }
        for (name, converter) in named.sorted(by: { $0.0 < $1.0 }) {
            if converter.bytesNeeded > service.pool.maxBytesInFlight {
                reader.refuse(
                    "converters: \(name) needs \(converter.bytesNeeded >> 20) MiB (memory plus twice "
                        + "max-output-bytes): expected at most max-memory=\(service.pool.maxBytesInFlight >> 20)."
                )
            }
            if converter.maxOutputBytes > service.fetching.maxBytesInHand / 2 {
                reader.refuse(
                    "converters: max-output-bytes of \(name) is more than half of max-source-memory, "
                        + "\(service.fetching.maxBytesInHand / 2) bytes."
                )
            }
        }
        guard !service.converters.isEmpty, service.converters.requiresConfinement,
            let obstacle = ConverterSet.obstacle()
        else { return }
        reader.refuse(
            "converters cannot be confined on this machine: \(obstacle). Remove the setting, or set "
                + "converter-confinement to partial if you trust all files."
        )
    }

    /// Reads the settings of rows, and stores them.
    mutating func read(_ rows: [ServeSetting], _ options: ServeOptions, _ reader: inout SettingsReader) {
        for row in rows { row.read(&reader, options, &self) }
    }

    private func checkCrossOrigin(_ reader: inout SettingsReader) {
        let policy = service.reloadable.crossOrigin
        guard policy.allowsCredentials else { return }
        switch policy.origins {
        case .list(let patterns):
            if patterns.contains(.opaque) {
                reader.refuse(
                    "cors-credentials is not allowed with the origin null, because sandboxed pages of all sites use it: "
                        + "remove null from cors-origins."
                )
            }
        case .any:
            reader.refuse(
                "cors-credentials is not allowed with cors-origins=*, which browsers reject: list the origins of the pages."
            )
        case .none: reader.refuse("cors-credentials requires cors-origins: the origins of the pages.")
        }
    }

    private static func addresses(_ options: ServeOptions, _ reader: inout SettingsReader) -> [ListenAddress] {
        let (host, port) = reader.endpoint(host: options.host, port: options.port)
        let path = reader.value(Settings.unixSocket, options.unixSocket)
        return [.tcp(host: host, port: UInt16(port))] + (path.map { [.unix(path: $0)] } ?? [])
    }

    /// The fraction of the default budgets that fits into the container's memory, without the memory that the service
    /// and its workers need (docs/operations.md).
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

    private mutating func readUploads(_ options: ServeOptions, _ share: Double, _ reader: inout SettingsReader) {
        var server = service.server
        server.maxBodyBytes = reader.value(Settings.maxBodyBytes, options.maxBodyBytes)
        let uploads = reader.value(
            Settings.maxUploadMemory,
            options.maxUploadMemory,
            default: max(Self.scaled(Settings.maxUploadMemory, share), (server.maxBodyBytes >> 20) + 1)
        )
        server.maxBodyBytesInFlight = uploads << 20
        if server.maxBodyBytesInFlight < server.maxBodyBytes {
            reader.refuse("max-upload-memory=\(uploads) is less than the size of one body, max-body-bytes.")
        }
        let unsent = Self.scaled(Settings.maxUnsentMemory, share)
        server.maxUnsentBytes = reader.value(Settings.maxUnsentMemory, options.maxUnsentMemory, default: unsent) << 20
        service.server = server
    }

    private mutating func readSources(_ options: ServeOptions, _ share: Double, _ reader: inout SettingsReader) {
        let bytes = reader.value(Settings.maxSourceBytes, options.maxSourceBytes)
        let sources = reader.value(
            Settings.maxSourceMemory,
            options.maxSourceMemory,
            default: max(Self.scaled(Settings.maxSourceMemory, share), (bytes >> 19) + 1)
        )
        service.fetching.maxBytes = bytes
        service.fetching.maxBytesInHand = sources << 20
        if service.fetching.maxBytesInHand / 2 < bytes {
            reader.refuse("max-source-memory=\(sources) is less than two sources of max-source-bytes.")
        }
        read(ServeRows.fetches, options, &reader)
        var bucket: String?
        if case .bucket(let place) = service.caches.resultStore?.place { bucket = place.bucket }
        let stores = Self.addSources(options.sources, to: &service.fetching, storingIn: bucket, &reader)
        service.caches.resultStore?.service = stores
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
}
