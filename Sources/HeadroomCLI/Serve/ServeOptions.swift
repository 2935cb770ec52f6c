import ArgumentParser

/// The options of `headroom serve`, as they were typed.
///
/// All are optional text: what was not typed may stand in the environment, and every value is checked in one place, so that
/// all mistakes are reported at once. See ``ServeSettings``.
struct ServeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("An IPv4 or IPv6 address, or a name, to listen on. (default: 127.0.0.1)", valueName: "host")
    )
    var host: String?

    @Option(help: ArgumentHelp("The TCP port; 0 takes a free one. (default: 8080)", valueName: "n"))
    var port: String?

    @Option(help: ArgumentHelp("A Unix socket to listen on as well.", valueName: "path"))
    var unixSocket: String?

    @Option(help: ArgumentHelp("Pictures worked on at the same time. (default: one a core)", valueName: "n"))
    var workers: String?

    @Option(
        help: ArgumentHelp(
            "Pictures that may wait for a worker; the next is refused with 503. (default: 8 a worker, at least 64)",
            valueName: "n"
        )
    )
    var queue: String?

    @Option(
        help: ArgumentHelp("MiB for all pictures being worked on together. (default: 1024)", valueName: "MiB")
    )
    var maxMemory: String?

    @Option(help: ArgumentHelp("Bytes of an uploaded picture at most. (default: 20971520)", valueName: "n"))
    var maxBodyBytes: String?

    @Option(help: ArgumentHelp("Bytes of a picture fetched by URL at most. (default: 20971520)", valueName: "n"))
    var maxSourceBytes: String?

    @Option(help: ArgumentHelp("Pixels of a picture at most. (default: 50000000)", valueName: "n"))
    var maxPixels: String?

    @Option(help: ArgumentHelp("Connections at the same time at most. (default: 4096)", valueName: "n"))
    var maxConnections: String?

    @Option(help: ArgumentHelp("Seconds for a request's header to arrive. (default: 10)", valueName: "s"))
    var headerTimeout: String?

    @Option(help: ArgumentHelp("Seconds for a request's body to arrive. (default: 30)", valueName: "s"))
    var bodyTimeout: String?

    @Option(help: ArgumentHelp("Seconds a connection may be open without a request. (default: 60)", valueName: "s"))
    var idleTimeout: String?

    @Option(help: ArgumentHelp("Seconds for open requests to finish after SIGTERM. (default: 20)", valueName: "s"))
    var drainTimeout: String?

    @Flag(help: "Fetch from private and loopback addresses too, and from any port.")
    var allowPrivateSources = false

    @Option(help: ArgumentHelp("Seconds to connect to where a URL points. (default: 2)", valueName: "s"))
    var connectTimeout: String?

    @Option(help: ArgumentHelp("Seconds to fetch a URL, all redirects included. (default: 5)", valueName: "s"))
    var fetchTimeout: String?

    @Option(help: ArgumentHelp("Redirects that are followed. (default: 3)", valueName: "n"))
    var maxRedirects: String?

    @Option(help: ArgumentHelp("URLs fetched at the same time. (default: 32)", valueName: "n"))
    var fetchSlots: String?

    @Option(
        help: ArgumentHelp(
            "What caches are told of crops: the service's own Cache-Control, or that of each picture's origin. (default: own)",
            valueName: "own|origin"
        )
    )
    var cacheControl: String?

    @Option(help: ArgumentHelp(DetectorChoice.help, valueName: "name"))
    var detector: String?

    @Option(
        help: ArgumentHelp(
            "process: workers are processes that can reach nothing, and may crash; or thread. (default: process)",
            valueName: "word"
        )
    )
    var isolation: String?

    @Option(
        help: ArgumentHelp(
            "Seconds that a worker process may take for one picture before it is killed. (default: 20)",
            valueName: "s"
        )
    )
    var jobTimeout: String?

    @Option(
        help: ArgumentHelp("trace, debug, info, notice, warning, error or critical. (default: info)", valueName: "word")
    )
    var logLevel: String?

    @Option(
        help: ArgumentHelp(
            "How the log is written: text, or json with an object a line. (default: text)",
            valueName: "word"
        )
    )
    var logFormat: String?

    @Option(
        help: ArgumentHelp(
            """
            Where /metrics is answered, and nothing else: 127.0.0.1:9090, [::1]:9090 or unix:/run/metrics.sock. \
            (default: where the rest is)
            """,
            valueName: "address"
        )
    )
    var metricsAddress: String?

    @OptionGroup var access: AccessOptions
}
