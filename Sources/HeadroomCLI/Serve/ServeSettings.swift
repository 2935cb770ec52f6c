import FaceDetection
import FramePipeline
import Foundation
import HTTPServer
import HeadroomAPI
import ImageCodec
import ImageSource
import LogLines
import Logging

/// The checked settings of `headroom serve`.
struct ServeSettings {
    let service: HeadroomService.Configuration
    let detector: DetectorChoice
    let isolation: IsolationChoice
    /// What a worker process may take for one picture.
    let jobTimeout: Duration
    let logLevel: Logger.Level
    let logFormat: LogFormat

    /// Descriptors for connections, fetches (a socket, and a pair to wake it), worker processes, and the process's own.
    var neededOpenFiles: UInt {
        let workers = isolation == .process ? service.pool.workers * 4 : 0
        let metrics = service.metricsAddress == nil ? 0 : HeadroomService.maxMetricsConnections + 1
        return UInt(service.server.maxConnections + service.fetching.slots * 3 + workers + metrics + 64)
    }

    /// Checks options and environment.
    ///
    /// - Throws: A ``CommandFailure`` that names every wrong value.
    init(_ options: ServeOptions, environment: [String: String]) throws(CommandFailure) {
        var reader = SettingsReader(environment: environment)
        let addresses = Self.addresses(options, &reader)
        let server = Self.server(options, &reader)
        var fetching = Self.fetching(options, &reader)
        fetching.allowedHosts = Self.allowedHosts(options.access, &reader)
        let access = Self.access(options.access, &reader)
        let crossOrigin = Self.crossOrigin(options.access, &reader)
        let pixels = reader.integer("max-pixels", options.maxPixels, in: 1...500_000_000, default: 50_000_000)
        let pool = Self.pool(options, &reader)
        let caching = reader.value("cache-control", options.cacheControl, expected: "own or origin") { text in
            ["own", "origin"].contains(text) ? CachingPolicy(followsOrigin: text == "origin") : nil
        }
        detector =
            reader.value("detector", options.detector, expected: DetectorChoice.expected, DetectorChoice.init)
            ?? DetectorChoice.standard
        isolation =
            reader.value(
                "isolation",
                options.isolation,
                expected: IsolationChoice.expected,
                IsolationChoice.init(rawValue:)
            ) ?? IsolationChoice.standard
        jobTimeout = reader.seconds("job-timeout", options.jobTimeout, default: .seconds(20))
        logLevel =
            reader.value("log-level", options.logLevel, expected: Self.levels, Logger.Level.init(rawValue:)) ?? .info
        logFormat =
            reader.value("log-format", options.logFormat, expected: "text or json", LogFormat.init(rawValue:)) ?? .text
        let metricsAddress = reader.value(
            "metrics-address",
            options.metricsAddress,
            expected: "an address and a port, such as 127.0.0.1:9090 or [::1]:9090, or unix: and a path",
            ListenAddress.init
        )
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
        service.access = access
        service.crossOrigin = crossOrigin
        service.metricsAddress = metricsAddress
        service.caching = caching ?? CachingPolicy()
        self.service = service
    }

    private static let levels = "one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))"

    private static func addresses(_ options: ServeOptions, _ reader: inout SettingsReader) -> [ListenAddress] {
        let host = reader.value("host", options.host, expected: "an address or a name") { $0.isEmpty ? nil : $0 }
        let port = reader.integer("port", options.port, in: 0...65_535, default: 8080)
        var addresses = [ListenAddress.tcp(host: host ?? "127.0.0.1", port: UInt16(port))]
        let longest = ListenAddress.maxPathBytes
        let path = reader.value("unix-socket", options.unixSocket, expected: "a path of 1 to \(longest) bytes") {
            (1...longest).contains($0.utf8.count) ? $0 : nil
        }
        if let path { addresses.append(.unix(path: path)) }
        return addresses
    }

    private static func server(_ options: ServeOptions, _ reader: inout SettingsReader) -> HTTPServer.Configuration {
        var server = HTTPServer.Configuration()
        server.maxBodyBytes = reader.integer(
            "max-body-bytes",
            options.maxBodyBytes,
            in: 1...1_073_741_824,
            default: server.maxBodyBytes
        )
        server.maxConnections = reader.integer(
            "max-connections",
            options.maxConnections,
            in: 1...1_000_000,
            default: server.maxConnections
        )
        server.headerTimeout = reader.seconds("header-timeout", options.headerTimeout, default: server.headerTimeout)
        server.bodyTimeout = reader.seconds("body-timeout", options.bodyTimeout, default: server.bodyTimeout)
        server.idleTimeout = reader.seconds("idle-timeout", options.idleTimeout, default: server.idleTimeout)
        server.drainTimeout = reader.seconds("drain-timeout", options.drainTimeout, default: server.drainTimeout)
        return server
    }

    private static func fetching(_ options: ServeOptions, _ reader: inout SettingsReader) -> ImageFetcher.Configuration
    {
        var fetching = ImageFetcher.Configuration(userAgent: "Headroom/\(HeadroomVersion.current)")
        fetching.maxBytes = reader.integer(
            "max-source-bytes",
            options.maxSourceBytes,
            in: 1...1_073_741_824,
            default: fetching.maxBytes
        )
        fetching.connectTimeout = reader.seconds(
            "connect-timeout",
            options.connectTimeout,
            default: fetching.connectTimeout
        )
        fetching.timeout = reader.seconds("fetch-timeout", options.fetchTimeout, default: fetching.timeout)
        fetching.maxRedirects = reader.integer(
            "max-redirects",
            options.maxRedirects,
            in: 0...20,
            default: fetching.maxRedirects
        )
        fetching.slots = reader.integer("fetch-slots", options.fetchSlots, in: 1...128, default: fetching.slots)
        fetching.allowsPrivateSources = reader.flag("allow-private-sources", options.allowPrivateSources)
        return fetching
    }

    private static func pool(
        _ options: ServeOptions,
        _ reader: inout SettingsReader
    ) -> PoolConfiguration {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let workers = reader.integer("workers", options.workers, in: 1...1024, default: cores)
        let queue = reader.integer("queue", options.queue, in: 0...100_000, default: max(64, 8 * workers))
        let mebibytes = reader.integer("max-memory", options.maxMemory, in: 16...1_048_576, default: 1024)
        return .init(workers: workers, queueLimit: queue, maxBytesInFlight: mebibytes << 20)
    }
}
