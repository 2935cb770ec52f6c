import HTTPServer
import Fetching
import HeadroomAPI
import Imaging
import Logging
import Pipeline
import SystemLimits
import Telemetry

/// The settings that several commands read, or that affect other settings.
///
/// ``ServeRows`` contains all other settings. A test compares the table in docs/configuration.md with both.
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
        "IPv4 or IPv6 address, or host name, to listen on. :: listens on all addresses of both families.",
        default: "127.0.0.1",
        expected: "an IP address or a host name",
        valueName: "host",
        text: { $0 },
        parse: { $0.isEmpty ? nil : $0 }
    )
    static let port = Setting.integer(
        "port",
        "TCP port. 0: a free port. If it is not set, the variable PORT is used, as on Cloud Run, Heroku and Render.",
        in: 0...65_535,
        default: 8080
    )
    /// The variable for the port on hosting platforms; it is read if ``port`` is not set.
    static let portOfPlatform = "PORT"
    /// The default of ``host`` with a platform's port: all addresses of both IP families.
    static let hostOfPlatform = "::"
    static let unixSocket = Setting<String?>.optional(
        "unix-socket",
        "Path of an additional Unix socket to listen on.",
        expected: "a path of 1 to 107 bytes",
        valueName: "path",
        parse: { (1...107).contains($0.utf8.count) ? $0 : nil }
    )
    static let pathPrefix = Setting<PathPrefix?>.optional(
        "path-prefix",
        "Path prefix of all routes, such as /img, if the proxy does not strip it.",
        default: "none",
        expected: PathPrefix.expected,
        valueName: "path",
        text: { $0?.description },
        parse: { PathPrefix($0) }
    )

    static let publicURL = Setting<String?>.optional(
        "public-url",
        "Public URL of this service with its path prefix, such as https://img.example.com. Used in format=html and "
            + "by the playground.",
        default: "URLs in format=html lack a host",
        expected: "an http or https URL without a query, such as https://img.example.com or https://example.com/img",
        valueName: "url",
        text: { $0 },
        parse: { text in
            guard !text.contains("?"), !text.contains("#"), let url = try? WebURL(text).string else { return nil }
            return url.hasSuffix("/") ? String(url.dropLast()) : url
        }
    )

    // Capacity.

    static let workers = Setting.integer(
        "workers",
        "Number of images processed at the same time.",
        in: 1...1024,
        default: ContainerDefaults.current.workers,
        words: "one per core of the container"
    )
    static let queue = Setting.integer(
        "queue",
        "Maximum number of images that wait for a worker. Further requests get 503.",
        in: 0...100_000,
        default: 64,
        words: "8 per worker, at least 64"
    )
    static let maxMemory = Setting.integer(
        "max-memory",
        "Memory limit in MiB for all images in progress.",
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
        "Memory limit in MiB for unsent responses. Above it, the slowest clients are disconnected.",
        in: 1...1_048_576,
        default: server.maxUnsentBytes >> 20,
        valueName: "MiB"
    )
    static let maxPixels = Setting.integer(
        "max-pixels",
        "Maximum number of pixels of a source or an output.",
        in: 1...500_000_000,
        default: 50_000_000
    )

    // Processing.

    static let detector = Setting(
        "detector",
        "Face detector: " + addedDetectors.map { "\($0), " }.joined()
            + BuiltInDetector.all.map { "\($0.name)\($0.summary.map { " (\($0))" } ?? ""), " }.joined()
            + "or NAME=FILE.svm (a HOG model trained with dlib).",
        default: DetectorChoice.standard,
        expected: (addedDetectors + BuiltInDetector.all.map(\.name)).map { "\($0), " }.joined() + "or NAME=FILE.svm",
        valueName: "name",
        text: { $0.word },
        parse: DetectorChoice.init
    )
    private static let addedDetectors = AddedDetectors.all.map(\.name)
    static let isolation = Setting(
        "isolation",
        "process: workers are sandboxed processes. thread: workers are threads of the service.",
        default: IsolationChoice.process,
        expected: "process or thread",
        valueName: "word",
        text: { $0.rawValue },
        parse: { IsolationChoice(rawValue: $0) }
    )
    static let jobTimeout = Setting.seconds(
        "job-timeout",
        "Time limit for one image, in seconds. A worker process that exceeds it is killed.",
        default: .seconds(20)
    )
}
