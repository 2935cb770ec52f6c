#if Batch
import Batch
import Fetching
import Imaging
import Logging
import Pipeline
import Requests
import Workers

/// The validated options of `headroom batch`.
struct BatchSettings {
    let batch: BatchConfiguration
    let fetcher: ImageFetcher
    /// The buckets; nil without `--s3-buckets`.
    let store: ObjectStore?
    private let arguments: [String]
    private let kind: InputKind?
    private let keys: KeyRule
    let work: WorkerSettings
    /// The deprecated options of the command.
    let deprecated: [DeprecatedName]

    /// Validates all options; the environment contains the credentials for buckets.
    ///
    /// - Throws: A ``CommandFailure`` with every invalid value.
    init(_ command: BatchCommand, environment: [String: String]) throws(CommandFailure) {
        let (options, fetching) = (command.batch, command.fetching)
        var reader = SettingsReader(environment: environment.filter { $0.key.hasPrefix("AWS_") })
        let (workers, detector) = (command.detection.workers, command.detection.detector)
        work = WorkerSettings(workers: workers, detector: detector, fetching, &reader)
        kind = reader.choice("--from", options.kind)
        keys = reader.choice("--keys", options.keys) ?? .stem
        let order: BatchConfiguration.Order? = reader.choice("--order", options.order)
        let retries = options.retries.flatMap { Int(plainDigits: $0) }
        if let text = options.retries, !(0...20 ~= retries ?? -1) {
            reader.refuse("--retries=\(text) is not valid: expected a whole number from 0 to 20.")
        }
        let limit = options.maxFailures.map { FailureLimit($0) }
        if let text = options.maxFailures, limit == .some(nil) {
            reader.refuse(
                "--max-failures=\(text) is not valid: expected a whole number, or a percentage from 0% to 100%."
            )
        }
        let target = Self.target(options, &reader)
        if !reader.errors.isEmpty { throw .usage(reader.errors) }
        var batch = BatchConfiguration(target: target, results: options.results ?? target.results ?? "")
        do throws(BatchError) {
            batch.name = if let name = options.name { try OutputName(name) } else { nil }
        } catch {
            throw .usage(error.reason)
        }
        let pairs = command.image.pairs + command.detection.givenParameters
        batch.parameters = pairs.map { .init(name: $0.name, value: $0.value) }
        deprecated = pairs.flatMap { DeprecatedName.used(by: $0.name, $0.value) }
        batch.overlays = try OverlayFolder.overlays(command.image.overlays)
        batch.conditions = work.conditions + (keys == .stem ? [] : ["keys=\(keys.rawValue)"])
        batch.failures = options.failures
        batch.findings = options.findings
        batch.order = order ?? .input
        batch.retries.count = retries ?? batch.retries.count
        batch.failureLimit = (limit ?? nil) ?? batch.failureLimit
        batch.restarts = options.restart
        batch.retriesFailed = options.retryFailed
        batch.inWork = work.inWork
        // Two jobs per worker: one runs and one waits, so that no worker is idle between jobs.
        batch.running = 2 * work.workers
        batch.window = 16 * batch.inWork
        self.batch = batch
        store = ObjectStore(work.fetching)
        fetcher = ImageFetcher(configuration: work.fetching, logger: .silent)
        arguments = options.inputs
    }

    var inputs: BatchInputs {
        BatchInputs(
            arguments,
            kind: kind,
            keys: keys,
            excluding: batch.target.excluded,
            buckets: store.map { ObjectReader($0, retries: batch.retries) }
        )
    }

    /// Whether ``RowCount`` may read the inputs a second time: not standard input, and not an archive in a bucket.
    var isCountable: Bool {
        !arguments.contains { argument in
            argument == "-" || BatchInputs.isObject(argument) && (kind == .tar || argument.hasSuffix(".tar"))
        }
    }

    private static func target(_ options: BatchOptions, _ reader: inout SettingsReader) -> OutputTarget {
        if options.plans {
            if options.output != nil { reader.refuse("--output is not allowed with --plans, which writes no images.") }
            if options.results == nil { reader.refuse("--plans requires --results FILE.") }
            return .plans
        }
        guard let output = options.output, !output.isEmpty else {
            reader.refuse("--output is missing: expected a folder, or a file that ends in .tar; or --plans.")
            return .plans
        }
        do throws(BatchError) {
            return try OutputTarget(output, results: options.results)
        } catch {
            reader.refuse(error.reason)
            return .plans
        }
    }
}

/// The validated options of commands that run jobs in sandboxed workers and fetch URLs.
struct WorkerSettings {
    let workers: Int
    let fetching: FetchConfiguration
    private let detector: DetectorChoice
    private let limits: PipelineLimits
    private let isolation: IsolationChoice
    private let maxMemory: Int
    private let jobTimeout: Duration

    init(workers: String?, detector: String?, _ options: BatchFetchOptions, _ reader: inout SettingsReader) {
        self.workers = reader.value(Settings.workers, workers)
        self.detector = reader.value(Settings.detector, detector)
        isolation = reader.value(Settings.isolation, options.isolation)
        jobTimeout = reader.value(Settings.jobTimeout, options.jobTimeout)
        maxMemory = reader.value(Settings.maxMemory, options.maxMemory)
        let pixels = reader.value(Settings.maxPixels, options.maxPixels)
        limits = PipelineLimits(decode: DecodeLimits(maxPixels: pixels), maxResultPixels: pixels)
        fetching = Self.fetching(options, &reader)
    }

    /// The number of jobs that run, are fetched or wait at the same time.
    var inWork: Int { 2 * workers + fetching.slots }

    /// The settings that affect results in addition to a job's parameters.
    var conditions: [String] { [detector.word, "\(limits.decode.maxPixels)"] }

    /// Starts the workers.
    func service() throws -> WorkerService {
        let pool = PoolConfiguration(workers: workers, queueLimit: inWork, maxBytesInFlight: maxMemory << 20)
        var limits = limits
        limits.maxBytes = pool.maxBytesInFlight
        do {
            return try isolation.service(detector, limits: limits, pool: pool, jobTimeout: jobTimeout)
        } catch let error as WorkerExit where error.cause == .sandbox {
            throw CommandFailure("\(error); use --isolation thread if you trust every image")
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    private static func fetching(_ options: BatchFetchOptions, _ reader: inout SettingsReader) -> FetchConfiguration {
        var fetching = Settings.fetching
        fetching.maxBytes = reader.value(Settings.maxSourceBytes, options.maxSourceBytes)
        fetching.maxBytesInHand = max(fetching.maxBytesInHand, 2 * fetching.maxBytes)
        fetching.allowsPrivateSources = reader.flag(Settings.allowPrivateSources, options.allowPrivateSources)
        fetching.rules.allowedHosts = reader.value(Settings.allowHosts, options.allowHosts)
        fetching.rules.deniedHosts = reader.value(Settings.denyHosts, options.denyHosts)
        fetching.connectTimeout = reader.value(Settings.connectTimeout, options.connectTimeout)
        fetching.timeout = reader.value(Settings.fetchTimeout, options.fetchTimeout)
        fetching.maxRedirects = reader.value(Settings.maxRedirects, options.maxRedirects)
        fetching.slots = reader.value(Settings.fetchSlots, options.fetchSlots)
        // The user's list determines the hosts, so an untrusted client cannot occupy all slots.
        fetching.slotsPerHost = 0
        ServeSettings.addSources(options.sources, to: &fetching, &reader)
        if reader.errors.isEmpty {
            for problem in fetching.problems() { reader.refuse(problem) }
        }
        return fetching
    }
}
#endif
