import ArgumentParser

/// The options of `headroom serve`, as they were typed.
///
/// All are optional text: what was not typed may stand in the environment, and every value is checked in one place, so that
/// all mistakes are reported at once. See ``ServeSettings``.
struct ServeOptions: ParsableArguments {
    @Option(help: "The address to listen on: an IPv4 or IPv6 address, or a name. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The TCP port; 0 takes a free one. (default: 8080)")
    var port: String?

    @Option(help: "A Unix socket to listen on as well.")
    var unixSocket: String?

    @Option(help: "Pictures that are worked on at the same time. (default: one a core)")
    var workers: String?

    @Option(help: "Requests that may wait for a worker; the next one is refused with 503. (default: 8 a worker, at least 64)")
    var queue: String?

    @Option(help: "MiB that all pictures being worked on may need together. (default: 1024)")
    var maxMemory: String?

    @Option(help: "The most bytes of an uploaded image. (default: 20971520)")
    var maxBodyBytes: String?

    @Option(help: "The most bytes of an image fetched by URL. (default: 20971520)")
    var maxSourceBytes: String?

    @Option(help: "The most pixels of an image. (default: 50000000)")
    var maxPixels: String?

    @Option(help: "The most connections at the same time. (default: 4096)")
    var maxConnections: String?

    @Option(help: "Seconds that a client may take to send a request's header. (default: 10)")
    var headerTimeout: String?

    @Option(help: "Seconds that a client may take to send a request's body. (default: 30)")
    var bodyTimeout: String?

    @Option(help: "Seconds that a connection may stay open without a request. (default: 60)")
    var idleTimeout: String?

    @Option(help: "Seconds that open requests have to finish after SIGTERM. (default: 20)")
    var drainTimeout: String?

    @Flag(help: "Fetch from private and loopback addresses too, and from any port.")
    var allowPrivateSources = false

    @Option(help: "Seconds to connect to a source. (default: 2)")
    var connectTimeout: String?

    @Option(help: "Seconds to fetch a source, all redirects included. (default: 5)")
    var fetchTimeout: String?

    @Option(help: "Redirects followed to a source. (default: 3)")
    var maxRedirects: String?

    @Option(help: "Sources fetched at the same time. (default: 32)")
    var fetchSlots: String?

    @Option(help: ArgumentHelp(DetectorChoice.help, valueName: "name"))
    var detector: String?

    @Option(help: "trace, debug, info, notice, warning, error or critical. (default: info)")
    var logLevel: String?
}
