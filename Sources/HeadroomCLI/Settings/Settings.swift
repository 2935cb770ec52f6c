import Foundation
import HTTPServer
import HeadroomAPI
import LogLines
import Logging

/// Every setting of the service, in the order of help and `headroom config`.
///
/// A new one is a line here, one in ``ServeOptions`` and one where ``ServeSettings`` reads it; the README's table is held
/// to this by a test.
enum Settings {
    private static let server = HTTPServer.Configuration()

    static let config = Setting<String?>.optional(
        "config",
        "A file with settings, in YAML.",
        expected: "a file that can be read",
        valueName: "path",
        parse: { $0 }
    )

    // Where to listen.

    static let host = Setting.value(
        "host",
        "An IPv4 or IPv6 address, or a name, to listen on.",
        default: "127.0.0.1",
        expected: "an address or a name",
        valueName: "host",
        text: { $0 },
        parse: { $0.isEmpty ? nil : $0 }
    )
    static let port = Setting.integer("port", "The TCP port; 0 takes a free one.", in: 0...65_535, default: 8080)
    static let unixSocket = Setting<String?>.optional(
        "unix-socket",
        "A Unix socket to listen on as well.",
        expected: "a path of 1 to 107 bytes",
        valueName: "path",
        parse: { (1...107).contains($0.utf8.count) ? $0 : nil }
    )

    // How much at once.

    static let workers = Setting.integer(
        "workers",
        "Pictures worked on at the same time.",
        in: 1...1024,
        default: ProcessInfo.processInfo.activeProcessorCount,
        words: "one a core"
    )
    static let queue = Setting.integer(
        "queue",
        "Pictures that may wait for a worker; the next is refused with 503.",
        in: 0...100_000,
        default: 64,
        words: "8 a worker, at least 64"
    )
    static let queueTimeout = Setting.seconds(
        "queue-timeout",
        "Seconds until work on a picture must begin, its fetch included; one that cannot is refused with 503.",
        default: .seconds(10)
    )
    static let maxMemory = Setting.integer(
        "max-memory",
        "MiB for all pictures being worked on together.",
        in: 16...1_048_576,
        default: 1024,
        valueName: "MiB"
    )
    static let maxBodyBytes = Setting.integer(
        "max-body-bytes",
        "Bytes of an uploaded picture at most.",
        in: 1...1_073_741_824,
        default: server.maxBodyBytes
    )
    static let maxUploadMemory = Setting.integer(
        "max-upload-memory",
        "MiB of all uploads being received or worked on together.",
        in: 1...1_048_576,
        default: 512,
        valueName: "MiB"
    )
    static let maxPixels = Setting.integer(
        "max-pixels",
        "Pixels of a picture at most.",
        in: 1...500_000_000,
        default: 50_000_000
    )
    static let maxConnections = Setting.integer(
        "max-connections",
        "Connections at the same time at most.",
        in: 1...1_000_000,
        default: server.maxConnections
    )

    // How long.

    static let maxConnectionsPerAddress = Setting.integer(
        "max-connections-per-address",
        "Connections of one address at the same time at most; 0 for no limit.",
        in: 0...1_000_000,
        default: server.maxConnectionsPerAddress
    )
    static let headerTimeout = Setting.seconds(
        "header-timeout",
        "Seconds for a request's header to arrive.",
        default: server.headerTimeout
    )
    static let bodyTimeout = Setting.seconds(
        "body-timeout",
        "Seconds for a request's body to arrive.",
        default: server.bodyTimeout
    )
    static let writeTimeout = Setting.seconds(
        "write-timeout",
        "Seconds for a client to take its answer.",
        default: server.writeTimeout
    )
    static let idleTimeout = Setting.seconds(
        "idle-timeout",
        "Seconds a connection may be open without a request.",
        default: server.idleTimeout
    )
    static let drainTimeout = Setting.seconds(
        "drain-timeout",
        "Seconds for open requests to finish after SIGTERM.",
        default: server.drainTimeout
    )

    // How pictures are worked on.

    static let cacheControl = Setting.value(
        "cache-control",
        "What caches are told of crops: the service's own Cache-Control, or that of each picture's origin.",
        default: CachingPolicy(),
        expected: "own or origin",
        valueName: "own|origin",
        text: { $0.followsOrigin ? "origin" : "own" },
        parse: { ["own", "origin"].contains($0) ? CachingPolicy(followsOrigin: $0 == "origin") : nil }
    )
    static let detector = Setting.value(
        "detector",
        "hog, dlib (the same faces, found by dlib itself, slower), or NAME=FILE.svm, a HOG detector saved by dlib's "
            + "trainer.",
        default: DetectorChoice.hog,
        expected: "hog, dlib, or NAME=FILE.svm",
        valueName: "name",
        text: \.word,
        parse: DetectorChoice.init
    )
    static let isolation = Setting.value(
        "isolation",
        "process: workers are processes that can reach nothing, and may crash; or thread.",
        default: IsolationChoice.process,
        expected: "process or thread",
        valueName: "word",
        text: \.rawValue,
        parse: { IsolationChoice(rawValue: $0) }
    )
    static let jobTimeout = Setting.seconds(
        "job-timeout",
        "Seconds that a worker process may take for one picture before it is killed.",
        default: .seconds(20)
    )
    static let logLevel = Setting.value(
        "log-level",
        "trace, debug, info, notice, warning, error or critical.",
        default: Logger.Level.info,
        expected: "one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))",
        valueName: "word",
        text: \.rawValue,
        parse: { Logger.Level(rawValue: $0) }
    )
    static let logFormat = Setting.value(
        "log-format",
        "How the log is written: text, or json with an object a line.",
        default: LogFormat.text,
        expected: "text or json",
        valueName: "word",
        text: \.rawValue,
        parse: { LogFormat(rawValue: $0) }
    )
    static let metricsAddress = Setting<ListenAddress?>.optional(
        "metrics-address",
        "Where /metrics is answered, and nothing else: 127.0.0.1:9090, [::1]:9090 or unix:/run/metrics.sock.",
        default: "where the rest is",
        expected: "an address and a port, such as 127.0.0.1:9090 or [::1]:9090, or unix: and a path",
        valueName: "address",
        parse: { ListenAddress($0) }
    )
}
