import ArgumentParser

/// The options of `headroom batch` besides those of `headroom frame`, as text.
struct BatchOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Folders, patterns such as 'photos/*.jpg', pictures, URLs, .txt, .jsonl, .csv, .tar, or - for standard input.",
            valueName: "input"
        )
    )
    var inputs: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("A folder, or a file that ends in .tar; here, or an s3: URL.", valueName: "path")
    )
    var output: String?

    @Flag(help: "Write plans to --results only, and no pictures.")
    var plans = false

    @Option(
        help: ArgumentHelp(
            "Paths of results, with {key}, {aspect} such as 16x9, and {format} such as jpg. (default: {key}.{format}, or "
                + "{key}-{aspect}.{format} for several aspects)",
            valueName: "template"
        )
    )
    var name: String?

    @Option(
        help: ArgumentHelp(
            "The file with one JSON line a picture. (default: results.jsonl in the folder, or beside the archive)",
            valueName: "file"
        )
    )
    var results: String?

    @Option(help: ArgumentHelp("Write what failed as JSON lines, which can be an input.", valueName: "file"))
    var failures: String?

    @Option(
        help: ArgumentHelp(
            "Keep the faces of pictures here, so that no run searches equal bytes again.",
            valueName: "file"
        )
    )
    var findings: String?

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp(
            "The kind of all inputs: folder, picture, txt, jsonl, csv or tar. (default: by name)",
            valueName: "kind"
        )
    )
    var kind: String?

    @Option(
        help: ArgumentHelp("Order of results: input, or done, which never waits. (default: input)", valueName: "word")
    )
    var order: String?

    @Option(help: ArgumentHelp("Further tries of a fetch that may succeed later. (default: 3)", valueName: "n"))
    var retries: String?

    @Option(
        help: ArgumentHelp(
            "Failures that leave the exit status 0: a number, at which the run stops, or a share such as 1%. (default: 0, without "
                + "a stop)",
            valueName: "n"
        )
    )
    var maxFailures: String?

    @Flag(help: "Try again what failed in an earlier run.")
    var retryFailed = false

    @Flag(help: "Begin anew: drop the results of an earlier run.")
    var restart = false

    @Flag(help: "Print what would be done, and do nothing.")
    var dryRun = false
}

/// The options of `headroom batch` for URLs and workers, with the names and defaults of `headroom serve`.
struct BatchFetchOptions: ParsableArguments {
    @Option(Settings.allowHosts) var allowHosts: String?
    @Flag(Settings.allowPrivateSources) var allowPrivateSources: Bool?
    @Option(Settings.maxSourceBytes) var maxSourceBytes: String?
    @Option(Settings.connectTimeout) var connectTimeout: String?
    @Option(Settings.fetchTimeout) var fetchTimeout: String?
    @Option(Settings.maxRedirects) var maxRedirects: String?
    @Option(Settings.fetchSlots) var fetchSlots: String?
    @OptionGroup var sources: SourceOptions
    @Option(Settings.maxMemory) var maxMemory: String?
    @Option(Settings.maxPixels) var maxPixels: String?
    @Option(Settings.isolation) var isolation: String?
    @Option(Settings.jobTimeout) var jobTimeout: String?
}
