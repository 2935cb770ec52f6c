import Fetching
import HTTPServer
import HeadroomAPI
import Imaging
import Logging
import Pipeline
import Requests
import Telemetry
import Workers

/// The settings that only `headroom serve` has, and the settings in ``Settings`` that it stores unchanged.
///
/// The lists are in the order of `headroom config`.
enum ServeRows {
    /// Every list.
    static let all = [waiting, connections, images, fetches, responses, processing, urlFormats, streams].joined()

    static let waiting: [ServeSetting] = [
        .seconds(
            "queue-timeout",
            "Maximum wait in seconds, including the fetch, before processing starts. Requests that cannot start in time get 503.",
            \.queueTimeout,
            \.service.queueTimeout
        ),
        .flag(
            "unready-when-full",
            "Return 503 from /readyz while the queue is full. Use it only if the load balancer always keeps some replicas in "
                + "rotation.",
            \.unreadyWhenFull,
            \.service.isUnreadyWhenFull
        ),
    ]

    static let connections: [ServeSetting] = [
        .integer(
            "max-connections",
            "Maximum number of open connections.",
            in: 1...1_000_000,
            \.maxConnections,
            \.service.server.maxConnections
        ),
        .integer(
            "max-connections-per-address",
            "Maximum number of open connections per client address. 0: no limit.",
            in: 0...1_000_000,
            \.maxConnectionsPerAddress,
            \.service.server.maxConnectionsPerAddress
        ),
        ServeSetting(
            Setting(
                "trusted-proxies",
                "Proxies whose X-Forwarded-For or Forwarded header is trusted for the client address: a comma-separated list.",
                default: TrustedProxies(),
                words: "none",
                expected: TrustedProxies.expected,
                valueName: "list",
                text: { $0.description },
                parse: { TrustedProxies($0) }
            ).reloadable,
            \.trustedProxies,
            \.service.reloadable.trustedProxies
        ),
        .seconds(
            "header-timeout",
            "Time limit for receiving a request header, in seconds.",
            \.headerTimeout,
            \.service.server.headerTimeout
        ),
        .seconds(
            "body-timeout",
            "An upload is aborted if, in any window of this many seconds, it neither ends nor averages 8 KiB per second.",
            \.bodyTimeout,
            \.service.server.bodyTimeout
        ),
        .seconds(
            "write-timeout",
            "A connection is reset if, in any window of this many seconds, the client neither reads the whole response nor "
                + "averages 8 KiB per second.",
            \.writeTimeout,
            \.service.server.writeTimeout
        ),
        .seconds(
            "idle-timeout",
            "Seconds before an idle connection is closed. Set it higher than the load balancer's idle timeout.",
            to: 86_400,
            \.idleTimeout,
            \.service.server.idleTimeout
        ),
        .seconds(
            "drain-timeout",
            "Time limit for finishing open requests after SIGTERM, in seconds.",
            \.drainTimeout,
            \.service.server.drainTimeout
        ),
    ]

    static let images: [ServeSetting] = [
        ServeSetting(Settings.maxPixels, \.maxPixels, \.service.limits.maxResultPixels),
        .integer(
            "avif-max-pixels",
            "Maximum AVIF output in pixels. Above it, format=auto selects another format. 0: AVIF is disabled.",
            in: 0...500_000_000,
            \.avifMaxPixels,
            \.service.limits.maxExpensivePixels
        ),
        .integer(
            "max-frames",
            "Maximum number of frames of an animation. Longer animations become still images.",
            in: 1...100_000,
            \.maxFrames,
            \.service.limits.maxFrames
        ),
        .integer(
            "max-animation-pixels",
            "Maximum number of pixels in all frames of an animation or of its output. Larger animations become still images.",
            in: 1...10_000_000_000,
            \.maxAnimationPixels,
            \.service.limits.maxAnimationPixels
        ),
    ]

    static let processing: [ServeSetting] = [
        ServeSetting(Settings.detector, \.detector, \.detector),
        ServeSetting(Settings.isolation, \.isolation, \.isolation),
        .choice(
            "damaged",
            "Images that decode at least half. serve: serve the decodable part, cached for one minute. refuse: reject with "
                + "422.",
            of: [("serve", true), ("refuse", false)],
            \.damaged,
            \.service.limits.decode.servesDamaged
        ),
        ServeSetting(Settings.jobTimeout, \.jobTimeout, \.jobTimeout),
        .choice(
            "converter-confinement",
            "Confinement of converters. required: do not start if the machine cannot confine them. partial: use the parts "
                + "that it supports.",
            of: [("required", true), ("partial", false)],
            \.converterConfinement,
            \.service.converters.requiresConfinement
        ),
        .choice(
            "log-level",
            "Minimum log level: trace, debug, info, notice, warning, error or critical.",
            of: Logger.Level.allCases.map { ($0.rawValue, $0) },
            \.logLevel,
            \.logLevel
        ),
        .choice(
            "log-format",
            "Log format: text, or json with one object per line.",
            of: [("text", .text), ("json", .json)],
            \.logFormat,
            \.logFormat
        ),
        .choice(
            "playground",
            "Playground page at /, to try the service in a browser: on or off.",
            of: [("on", true), ("off", false)],
            words: "on, unless signing keys or bearer secrets are set",
            valueName: "on|off",
            \.playground,
            \.service.playground
        ),
        ServeSetting(
            .optional(
                "metrics-address",
                "Separate address for /metrics: 127.0.0.1:9090, [::1]:9090 or unix:/run/metrics.sock.",
                default: "the service's address",
                expected: "an address and a port, such as 127.0.0.1:9090 or [::1]:9090, or unix: and a path",
                valueName: "address",
                parse: { ListenAddress($0) }
            ),
            \.metricsAddress,
            \.service.metricsAddress
        ),
    ]

    static let fetches: [ServeSetting] = [
        ServeSetting(Settings.allowPrivateSources, \.allowPrivateSources, \.service.fetching.allowsPrivateSources),
        ServeSetting(Settings.allowHosts, \.access.allowHosts, \.service.fetching.rules.allowedHosts),
        ServeSetting(Settings.denyHosts, \.access.denyHosts, \.service.fetching.rules.deniedHosts),
        ServeSetting(Settings.connectTimeout, \.connectTimeout, \.service.fetching.connectTimeout),
        ServeSetting(Settings.fetchTimeout, \.fetchTimeout, \.service.fetching.timeout),
        ServeSetting(Settings.maxRedirects, \.maxRedirects, \.service.fetching.maxRedirects),
        ServeSetting(Settings.fetchSlots, \.fetchSlots, \.service.fetching.slots),
        .integer(
            "fetch-queue",
            "Maximum number of fetches that wait for a slot. Further requests get 503.",
            in: 0...100_000,
            \.fetchQueue,
            \.service.fetching.waitingLimit,
            words: "4 per slot and second of --queue-timeout",
            default: {
                FetchConfiguration.waitingLimit(slots: $0.service.fetching.slots, within: $0.service.queueTimeout)
            }
        ),
        .integer(
            "fetch-slots-per-host",
            "Maximum number of concurrent fetches per host. 0: no limit.",
            in: 0...128,
            \.fetchSlotsPerHost,
            \.service.fetching.setSlotsPerHost,
            words: "half of --fetch-slots",
            default: { $0.service.fetching.setSlotsPerHost }
        ),
        .integer(
            "fetch-slots-per-client",
            "Maximum number of concurrent fetches per client address. 0: no limit.",
            in: 0...128,
            \.fetchSlotsPerClient,
            \.service.fetching.slotsPerClient
        ),
    ]

    static let responses: [ServeSetting] = [
        ServeSetting(
            Setting(
                "cors-origins",
                "Origins that may read responses from scripts (CORS): https://example.com, https://*.example.com (one label), a "
                    + "comma-separated list, or *.",
                default: .none,
                words: "none",
                expected: "* or comma-separated origins such as https://example.com or https://*.example.com",
                valueName: "list",
                text: { _ in nil },
                parse: { CrossOriginPolicy.Origins($0) }
            ).reloadable,
            \.access.corsOrigins,
            \.service.reloadable.crossOrigin.origins
        ),
        ServeSetting(
            Setting(
                "cors-headers",
                "Request header fields that pages of --cors-origins may send, next to the fields that Headroom reads. any: all "
                    + "except fields of proxies such as X-Forwarded-For. none, or a comma-separated list.",
                default: .requested,
                words: "any",
                expected: "any, none, or comma-separated names such as X-Requested-With",
                valueName: "list",
                text: { _ in nil },
                parse: { CrossOriginPolicy.Fields($0) }
            ).reloadable,
            \.access.corsHeaders,
            \.service.reloadable.crossOrigin.fields
        ),
        ServeSetting(
            .flag(
                "cors-credentials",
                "Allow pages of --cors-origins to send cookies, for a login at a proxy. Not possible with *."
            ).reloadable,
            \.access.corsCredentials,
            \.service.reloadable.crossOrigin.allowsCredentials
        ),
        ServeSetting(
            Setting(
                "cache-control",
                "own: Headroom's Cache-Control. origin: the Cache-Control of the source.",
                default: false,
                expected: "own or origin",
                valueName: "own|origin",
                text: { $0 ? "origin" : "own" },
                parse: { ["own": false, "origin": true][$0] }
            ).reloadable,
            \.caches.cacheControl,
            \.service.reloadable.caching.followsOrigin
        ),
        freshness(
            .crops,
            "Cache-Control of crops and other results at URLs without a version.",
            \.caches.cacheControlCrops
        ),
        freshness(
            .versioned,
            "Cache-Control of results at signed URLs, and at URLs with v.",
            \.caches.cacheControlVersioned
        ),
        freshness(
            .fallbacks,
            "Cache-Control of fallback images.",
            \.caches.cacheControlFallbacks
        ),
        freshness(
            .missing,
            "Cache-Control of 404 for missing sources.",
            \.caches.cacheControlMissing
        ),
        freshness(
            .errors,
            "Cache-Control of other errors that the same request would get again, such as an invalid parameter.",
            \.caches.cacheControlErrors
        ),
        ServeSetting(
            Setting(
                "ignored-parameters",
                "Unknown parameters to ignore in requests without a signature: names such as fbclid, and prefixes such as "
                    + "utm_*; a comma-separated list.",
                default: IgnoredParameters(),
                expected: IgnoredParameters.expected,
                valueName: "list",
                text: { $0.text },
                parse: { IgnoredParameters($0, besides: SignatureParameter.allCases.map(\.rawValue)) }
            ).reloadable,
            \.presets.ignoredParameters,
            \.service.reloadable.ignoredParameters
        ),
        ServeSetting(
            Setting(
                "cache-tag-headers",
                "Response headers with the tags for purging a CDN: Cache-Tag, Surrogate-Key, xkey, Edge-Cache-Tag, NAME:comma "
                    + "or NAME:space; a comma-separated list, or none.",
                default: TagHeaders.standard,
                expected: TagHeaders.expected,
                valueName: "list",
                text: { $0.text },
                parse: { TagHeaders($0) }
            ).reloadable,
            \.caches.cacheTagHeaders,
            \.service.reloadable.tagHeaders
        ),
        ServeSetting(
            Setting(
                "fallback-image-status",
                "Status of responses with a fallback image: 200, a status from 400 to 599, or error for the status without "
                    + "a fallback image.",
                default: FallbackImageStatus.standard,
                expected: FallbackImageStatus.expected,
                valueName: "status",
                text: { $0.text },
                parse: { FallbackImageStatus($0) }
            ).reloadable,
            \.fallbackImageStatus,
            \.service.reloadable.fallbackImageStatus
        ),
        budget(
            "cache-sources",
            "Size of the cache of fetched images in MiB. 0: disabled.",
            \.caches.cacheSources,
            \.service.caches.sourceBytes
        ),
        budget(
            "cache-detections",
            "Size of the cache of detected faces in MiB. 0: disabled.",
            \.caches.cacheDetections,
            \.service.caches.detectionBytes
        ),
        budget(
            "cache-results",
            "Size of the cache of responses in MiB. 0: disabled.",
            \.caches.cacheResults,
            \.service.caches.resultBytes
        ),
        .seconds(
            "redis-timeout",
            "Time limit for a lookup in Redis, in seconds. A request makes at most three.",
            from: 0.001,
            to: 1,
            \.caches.redisTimeout,
            \.service.caches.redisTimeout
        ),
    ]

    /// The row of the freshness of a kind of response, as directives of `Cache-Control`.
    private static func freshness(
        _ kind: FreshnessRules.Kind,
        _ help: String,
        _ option: ServeSetting.OptionPath
    ) -> ServeSetting {
        let setting = Setting(
            kind.rawValue,
            help,
            default: FreshnessRules.standard.freshness(of: kind),
            expected: Freshness.expected,
            valueName: "directives",
            text: { $0.text },
            parse: { Freshness($0) }
        ).reloadable
        return ServeSetting(setting, option, \.service.reloadable.caching.rules[set: kind])
    }

    /// The row of a budget in MiB that is stored in bytes.
    private static func budget(
        _ name: String,
        _ help: String,
        _ option: ServeSetting.OptionPath,
        _ place: ServeSetting.Place<Int>
    ) -> ServeSetting {
        let usual = ServeSettings.standard[keyPath: place] >> 20
        let setting = Setting<Int>.integer(name, help, in: 0...1_048_576, default: usual, valueName: "MiB")
        return ServeSetting(setting, option, place, stored: { $0 << 20 })
    }
}

extension FetchConfiguration {
    /// ``slotsPerHost``, which is never nil here.
    fileprivate var setSlotsPerHost: Int {
        get { slotsPerHost ?? (slots + 1) / 2 }
        set { slotsPerHost = newValue }
    }
}

extension FreshnessRules {
    /// The freshness of a kind of response, which is never nil here.
    fileprivate subscript(set kind: Kind) -> Freshness {
        get { freshness(of: kind) }
        set { self[kind] = newValue }
    }
}
