import ArgumentParser

/// The options of `headroom serve` about what is kept, as they were typed.
struct CacheOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "MiB of fetched pictures that are kept; 0 fetches for each request. (default: 64)",
            valueName: "MiB"
        )
    )
    var cacheSources: String?

    @Option(
        help: ArgumentHelp(
            "MiB of found faces that are kept; 0 looks for faces in each request. (default: 8)",
            valueName: "MiB"
        )
    )
    var cacheDetections: String?

    @Option(
        help: ArgumentHelp(
            "MiB of finished pictures that are kept; 0 makes one for each request. (default: 64)",
            valueName: "MiB"
        )
    )
    var cacheResults: String?

    @Option(
        help: ArgumentHelp(
            """
            A Redis through which several services share what they keep: redis://[user:password@]host[:port][/database] or \
            unix:/path. An address with a password belongs into HEADROOM_REDIS. (default: none)
            """,
            valueName: "address"
        )
    )
    var redis: String?
}
