import HTTPServer
import HeadroomAPI
import Logging
import Pipeline
import SystemLimits
import Telemetry

/// Every setting of the service, in the order of help and `headroom config`.
///
/// A new setting needs an entry here, one in ``ServeOptions`` and one where ``ServeSettings`` reads it. A test compares
/// the table in docs/configuration.md with this type.
enum Settings {
    private static let server = ServerConfiguration()

    static let config = Setting<String?>.optional(
        "config",
        "A YAML file with settings.",
        expected: "a file that can be read",
        valueName: "path",
        parse: { $0 }
    )

    // Addresses.

    static let host = Setting(
        "host",
        "IPv4 or IPv6 address, or host name, to listen on.",
        default: "127.0.0.1",
        expected: "an address or a name",
        valueName: "host",
        text: { $0 },
        parse: { $0.isEmpty ? nil : $0 }
    )
    static let port = Setting.integer("port", "TCP port; 0 selects a free port.", in: 0...65_535, default: 8080)
    static let unixSocket = Setting<String?>.optional(
        "unix-socket",
        "Path of an additional Unix socket to listen on.",
        expected: "a path of 1 to 107 bytes",
        valueName: "path",
        parse: { (1...107).contains($0.utf8.count) ? $0 : nil }
    )

    // Capacity.

    static let workers = Setting.integer(
        "workers",
        "Pictures processed at the same time.",
        in: 1...1024,
        default: ContainerDefaults.current.workers,
        words: "one per core of the container"
    )
    static let queue = Setting.integer(
        "queue",
        "Maximum number of pictures that wait for a worker; further ones get 503.",
        in: 0...100_000,
        default: 64,
        words: "8 per worker, at least 64"
    )
    static let queueTimeout = Setting.seconds(
        "queue-timeout",
        "Seconds until processing of a picture must start, including its fetch; a request that cannot start in time gets 503.",
        default: .seconds(10)
    )
    static let unreadyWhenFull = Setting.flag(
        "unready-when-full",
        "Return 503 from /readyz while the queue is full; only for load balancers that keep a part of the replicas."
    )
    static let maxMemory = Setting.integer(
        "max-memory",
        "Memory limit in MiB for all pictures in process.",
        in: 16...1_048_576,
        default: 1024,
        valueName: "MiB"
    )
    static let maxBodyBytes = Setting.integer(
        "max-body-bytes",
        "Maximum size of an upload in bytes.",
        in: 1...1_073_741_824,
        default: server.maxBodyBytes
    )
    static let maxUploadMemory = Setting.integer(
        "max-upload-memory",
        "Memory limit in MiB for all uploads being received or processed.",
        in: 1...1_048_576,
        default: 512,
        valueName: "MiB"
    )
    static let maxUnsentMemory = Setting.integer(
        "max-unsent-memory",
        "Memory limit in MiB for unsent responses; beyond it the slowest readers are disconnected.",
        in: 1...1_048_576,
        default: server.maxUnsentBytes >> 20,
        valueName: "MiB"
    )
    static let maxPixels = Setting.integer(
        "max-pixels",
        "Maximum number of pixels of a picture or a result.",
        in: 1...500_000_000,
        default: 50_000_000
    )
    static let maxFrames = Setting.integer(
        "max-frames",
        "Maximum number of frames of an animation; a longer one becomes a still picture.",
        in: 1...100_000,
        default: PipelineLimits().maxFrames
    )
    static let maxAnimationPixels = Setting.integer(
        "max-animation-pixels",
        "Maximum number of pixels of all frames of an animation or of its result; a larger one becomes a still picture.",
        in: 1...10_000_000_000,
        default: PipelineLimits().maxAnimationPixels
    )
    static let avifMaxPixels = Setting.integer(
        "avif-max-pixels",
        "Maximum number of pixels of an AVIF result; larger ones have another format with format=auto; 0 for no AVIF.",
        in: 0...500_000_000,
        default: 2_000_000
    )
    static let maxConnections = Setting.integer(
        "max-connections",
        "Maximum number of open connections.",
        in: 1...1_000_000,
        default: server.maxConnections
    )

    // Connections and timeouts.

    static let maxConnectionsPerAddress = Setting.integer(
        "max-connections-per-address",
        "Maximum number of open connections per client address; 0 for no limit.",
        in: 0...1_000_000,
        default: server.maxConnectionsPerAddress
    )
    static let headerTimeout = Setting.seconds(
        "header-timeout",
        "Seconds to receive a request header.",
        default: server.headerTimeout
    )
    static let bodyTimeout = Setting.seconds(
        "body-timeout",
        "Window in seconds; within each, a request body must be complete or 8 KiB per second of it must arrive.",
        default: server.bodyTimeout
    )
    static let writeTimeout = Setting.seconds(
        "write-timeout",
        "Window in seconds; within each, the client must take the rest of a response or 8 KiB per second of it.",
        default: server.writeTimeout
    )
    static let idleTimeout = Setting.seconds(
        "idle-timeout",
        "Seconds until an idle connection is closed.",
        default: server.idleTimeout
    )
    static let drainTimeout = Setting.seconds(
        "drain-timeout",
        "Seconds to finish open requests after SIGTERM.",
        default: server.drainTimeout
    )

    // Processing.

    static let cacheControl = Setting(
        "cache-control",
        "Cache-Control of crops: the service's own, or that of each picture's origin.",
        default: CachingPolicy(),
        expected: "own or origin",
        valueName: "own|origin",
        text: { $0.followsOrigin ? "origin" : "own" },
        parse: { ["own", "origin"].contains($0) ? CachingPolicy(followsOrigin: $0 == "origin") : nil }
    )
    static let detector = Setting(
        "detector",
        addedDetectors.map { "\($0), " }.joined()
            + networkWords + "hog (dlib's), dlib (hog's faces, found by dlib itself, slower), or NAME=FILE.svm, a HOG "
            + "detector saved by dlib's trainer.",
        default: DetectorChoice.standard,
        expected: (addedDetectors + DetectorChoice.builtIn.map(\.word)).map { "\($0), " }.joined() + "or NAME=FILE.svm",
        valueName: "name",
        text: { $0.word },
        parse: DetectorChoice.init
    )
    private static let addedDetectors = AddedDetectors.all.map(\.name)
    #if YuNet
    private static let networkWords = "yunet+hog, yunet (a small network), "
    #else
    private static let networkWords = ""
    #endif
    static let isolation = Setting(
        "isolation",
        "process: workers are sandboxed processes; thread: workers are threads of the service.",
        default: IsolationChoice.process,
        expected: "process or thread",
        valueName: "word",
        text: { $0.rawValue },
        parse: { IsolationChoice(rawValue: $0) }
    )
    static let damaged = Setting(
        "damaged",
        "Pictures of which at most half is lost: serve shows the rest, for a minute in caches; refuse responds 422.",
        default: true,
        expected: "serve or refuse",
        valueName: "word",
        text: { $0 ? "serve" : "refuse" },
        parse: { ["serve": true, "refuse": false][$0] }
    )
    static let jobTimeout = Setting.seconds(
        "job-timeout",
        "Seconds until a worker process is killed that has not finished a picture.",
        default: .seconds(20)
    )
    static let logLevel = Setting(
        "log-level",
        "Minimum level: trace, debug, info, notice, warning, error or critical.",
        default: Logger.Level.info,
        expected: "one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))",
        valueName: "word",
        text: { $0.rawValue },
        parse: { Logger.Level(rawValue: $0) }
    )
    static let logFormat = Setting(
        "log-format",
        "Log format: text, or json with one object per line.",
        default: LogFormat.text,
        expected: "text or json",
        valueName: "word",
        text: { $0.rawValue },
        parse: { LogFormat(rawValue: $0) }
    )
    static let playground = Setting<Bool?>.optional(
        "playground",
        "Whether / is a page on which people try the service in a browser: on or off.",
        default: "on, unless signing keys or bearer secrets are set",
        expected: "on or off",
        valueName: "on|off",
        parse: { ["on": true, "off": false][$0] }
    )
    static let metricsAddress = Setting<ListenAddress?>.optional(
        "metrics-address",
        "Separate address for /metrics: 127.0.0.1:9090, [::1]:9090 or unix:/run/metrics.sock.",
        default: "the service's address",
        expected: "an address and a port, such as 127.0.0.1:9090 or [::1]:9090, or unix: and a path",
        valueName: "address",
        parse: { ListenAddress($0) }
    )
}
