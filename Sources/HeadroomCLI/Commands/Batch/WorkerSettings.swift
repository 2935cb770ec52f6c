import Fetching
import Imaging
import Logging
import Pipeline
import Requests
import Workers

/// The validated options of commands that run jobs in sandboxed workers and fetch URLs.
struct WorkerSettings {
    /// A logger that writes nothing: results say what happened.
    static let silence = Logger(label: "headroom") { _ in SwiftLogNoOpLogHandler() }

    let workers: Int
    let fetching: FetchConfiguration
    private let detector: DetectorChoice
    private let limits: PipelineLimits
    private let isolation: IsolationChoice
    private let maxMemory: Int
    private let jobTimeout: Duration

    /// Reads the options; the reader collects errors.
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

    /// Jobs that run, are fetched or wait at once.
    var inWork: Int { 2 * workers + fetching.slots }

    /// The settings that decide results besides a job's parameters.
    var conditions: [String] { [detector.word, "\(limits.decode.maxPixels)"] }

    /// Starts the workers.
    ///
    /// - Throws: A ``CommandFailure`` if they cannot start.
    func service() throws -> FrameService {
        let pool = PoolConfiguration(workers: workers, queueLimit: inWork, maxBytesInFlight: maxMemory << 20)
        do {
            guard isolation == .process else {
                return try FrameService(model: try detector.model(), limits: limits, pool: pool)
            }
            let processes = ProcessConfiguration(command: WorkerEntry.command(detector), jobTimeout: jobTimeout)
            return try FrameService(processes: processes, limits: limits, pool: pool, logger: Self.silence)
        } catch let error as WorkerEnd where error.cause == .sandbox {
            throw CommandFailure("\(error); use --isolation thread if every picture is trusted")
        } catch {
            throw CommandFailure("\(error)")
        }
    }

    private static func fetching(_ options: BatchFetchOptions, _ reader: inout SettingsReader) -> FetchConfiguration {
        var fetching = Settings.fetching
        fetching.maxBytes = reader.value(Settings.maxSourceBytes, options.maxSourceBytes)
        fetching.maxBytesInHand = max(fetching.maxBytesInHand, 2 * fetching.maxBytes)
        fetching.allowsPrivateSources = reader.flag(Settings.allowPrivateSources, options.allowPrivateSources)
        fetching.allowedHosts = reader.value(Settings.allowHosts, options.allowHosts)
        fetching.connectTimeout = reader.value(Settings.connectTimeout, options.connectTimeout)
        fetching.timeout = reader.value(Settings.fetchTimeout, options.fetchTimeout)
        fetching.maxRedirects = reader.value(Settings.maxRedirects, options.maxRedirects)
        fetching.slots = reader.value(Settings.fetchSlots, options.fetchSlots)
        // The list names the hosts, so no stranger can occupy all slots.
        fetching.slotsPerHost = 0
        ServeSettings.addSources(options.sources, to: &fetching, &reader)
        if reader.errors.isEmpty {
            for problem in fetching.problems() { reader.refuse(problem) }
        }
        return fetching
    }
}
