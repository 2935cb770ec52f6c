#if Batch
import ArgumentParser
import Batch
import FoundationEssentials
import Glibc
import Requests
import Synchronization
import SystemLimits
import Telemetry
import Workers

/// `headroom batch`: crops any number of images; an interrupted run is resumed by the same command.
struct BatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Crops any number of images and resumes interrupted runs.",
        discussion: """
            Reads folders, patterns, images, lists of paths or URLs (.txt), JSON lines (.jsonl), CSV and tar archives. \
            Rows of JSON lines and CSV contain url or file, and optionally key and any option below, named like the \
            parameter of /frame.

            Writes one line per image to the results file. The same command resumes an interrupted run with the images that \
            this file lacks. After SIGINT or SIGTERM it finishes the images in progress; a second signal stops at once.

            EXAMPLES
              headroom batch photos/ --aspect 1:1 --width 400 --output avatars/
              headroom batch jobs.jsonl --aspect 1:1 --output out/ --failures failed.jsonl
              headroom batch shards/a.tar --aspect 4:5 --output a-4x5.tar
              headroom batch urls.txt --plans --results plans.jsonl
              headroom batch failed.jsonl --aspect 1:1 --output more/

            EXIT STATUS
              0 if the failures are within --max-failures, otherwise 1; 130 and 143 after SIGINT and SIGTERM.
            """
    )

    @OptionGroup var batch: BatchOptions

    @OptionGroup(title: "Crop") var image: ImageOptions

    @OptionGroup(title: "Faces") var detection: DetectionOptions

    @OptionGroup(title: "URLs") var fetching: BatchFetchOptions

    func run() async throws {
        let settings = try BatchSettings(self, environment: ProcessInfo.processInfo.environment)
        DeprecatedName.warn(settings.deprecated)
        do {
            if batch.dryRun { return try dryRun(settings) }
            try await run(settings)
        } catch let error as BatchError {
            throw error.isUsage ? CommandFailure.usage(error.reason) : CommandFailure(error.reason)
        }
    }

    private func dryRun(_ settings: BatchSettings) throws {
        let summary = try DryRun(settings.batch).run(settings.inputs) { fields in
            try StandardStream.output.write(fields.map(QuotedText.escaped).joined(separator: "\t") + "\n")
        }
        StandardStream.error.writeLine(
            "\(summary.jobs) to do, \(summary.done) already done, \(summary.problems) rejected; dry run, no image was processed"
        )
    }

    private func run(_ settings: BatchSettings) async throws {
        Allocator.configure()
        _ = OpenFileLimit.raise()
        let stop = StopRequest()
        let signalNumber = Atomic<Int32>(0)
        let display = BatchDisplay()
        let signals = try SignalListener([SIGINT, SIGTERM]) { number, _ in
            let (isFirst, _) = signalNumber.compareExchange(expected: 0, desired: number, ordering: .relaxed)
            // exit(3) would destroy global state that active workers still use.
            guard isFirst else { _exit(128 + number) }
            display.say("stopping after the images in progress; a second signal stops at once")
            stop.request()
        }
        defer { signals.stop() }
        let service = try settings.work.service()
        let count = RowCount(settings)
        let run = BatchRun(
            settings.batch,
            stop: stop,
            total: { count.value },
            failed: display.show(failure:),
            report: display.show
        )
        let (end, tally) = try await run.run(
            settings.inputs,
            service: service,
            fetcher: settings.fetcher,
            store: settings.store
        )
        if tally.leftOut > 0 {
            display.say(
                "\(tally.leftOut.counted("member")) of archives skipped: with redaction, only images and text are copied"
            )
        }
        if !tally.deprecated.isEmpty {
            let changes = tally.deprecated.map(\.change).sorted().joined(separator: ", ")
            display.say("rows contain deprecated names of columns or values: \(changes)")
        }
        let limit = settings.batch.failureLimit
        // Failures of earlier runs also count, so that a resumed run does not hide them.
        let failed = tally.failed + tally.failedBefore
        let isExceeded = limit.isExceeded(failed, of: tally.done + tally.failed + tally.skipped)
        switch end {
        case .complete: if isExceeded { display.say(Self.failures(tally, settings.batch.results)) }
        case .tooManyFailures:
            display.say("stopped after \(tally.failed) failures; run the same command again to continue")
        case .stopped:
            display.say("stopped; run the same command again to continue")
            throw ExitCode(128 + signalNumber.load(ordering: .relaxed))
        }
        if isExceeded { throw ExitCode.failure }
    }

    /// A sentence with the number of rows that failed in this run and in earlier ones.
    private static func failures(_ tally: BatchTally, _ results: String) -> String {
        guard tally.failedBefore > 0 else { return "\(tally.failed) failed; \(results) lists the reasons" }
        let before = "\(tally.failedBefore) failed in earlier runs (use --retry-failed to try them again)"
        return tally.failed == 0
            ? "\(before); \(results) lists the reasons"
            : "\(tally.failed) failed, and \(before); \(results) lists the reasons"
    }
}

/// The options of `headroom batch` in addition to the options of `headroom frame`, as text.
struct BatchOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Folders, patterns such as 'photos/*.jpg', images, URLs, .txt, .jsonl, .csv, .tar, or - for standard input.",
            valueName: "input"
        )
    )
    var inputs: [String]

    @Option("A folder, or a file that ends in .tar. Local, or an s3: URL.", value: "path", name: .shortAndLong)
    var output: String?

    @Flag(help: "Write plans to --results, and no images.")
    var plans = false

    @Option(
        "Output paths, with {key}, {aspect} such as 16x9, and {format} such as jpg. (default: {key}.{format}, or "
            + "{key}-{aspect}.{format} for several aspect ratios)",
        value: "template"
    )
    var name: String?

    @Option(
        "Results file, with one JSON line per image. (default: results.jsonl in the folder, or next to the archive)",
        value: "file"
    )
    var results: String?

    @Option("Write failed rows as JSON lines, which can be an input.", value: "file")
    var failures: String?

    @Option(
        "File that caches detections, so later runs do not detect faces in identical files again.",
        value: "file"
    )
    var findings: String?

    @Option(
        "The kind of all inputs: folder, image, txt, jsonl, csv or tar. (default: by name)",
        value: "kind",
        name: .customLong("from")
    )
    var kind: String?

    @Option(
        "Key of rows without the column key. stem: the path relative to the input folder, without its extension. path: the "
            + "whole path. (default: stem)",
        value: "word"
    )
    var keys: String?

    @Option(
        "Order of results. input: the order of the rows. done: the order of completion, without waiting. (default: input)",
        value: "word"
    )
    var order: String?

    @Option("Retries of a fetch that may succeed later, 0 to 20. (default: 3)", value: "n")
    var retries: String?

    @Option(
        "Failures allowed for exit status 0: a count, which stops the run when exceeded, or a percentage such as 1%, checked "
            + "at the end. (default: 0, without stopping)",
        value: "n"
    )
    var maxFailures: String?

    @Flag(help: "Retry the rows that failed in an earlier run.")
    var retryFailed = false

    @Flag(help: "Start again: discard the results of earlier runs.")
    var restart = false

    @Flag(help: "Print the planned work and do nothing.")
    var dryRun = false
}

/// The options of `headroom batch` for URLs and workers, with the names and defaults of `headroom serve`.
struct BatchFetchOptions: ParsableArguments {
    @Option(Settings.allowHosts) var allowHosts: String?
    @Option(Settings.denyHosts) var denyHosts: String?
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
#endif
