#if Batch
import ArgumentParser
import Fetching
import FoundationEssentials
import Glibc
import HeadroomAPI
import JobPipe
import Requests
import Synchronization
import SystemLimits

/// `headroom work`: processes jobs from another program over standard input and output.
struct WorkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "work",
        abstract: "Processes jobs from another program over standard input and output.",
        discussion: """
            Reads jobs from standard input and writes responses to standard output, in any order. A job is a request of \
            headroom serve: a route, parameters, and an image or its URL. docs/work.md describes the messages.

            At the end of the input, or after SIGINT or SIGTERM, it finishes the jobs in progress; a second signal stops at \
            once.

            EXIT STATUS
              0 if every job that was read has a response, 2 if a message is invalid.
            """
    )

    @Option(Settings.workers) var workers: String?
    @Option(Settings.detector) var detector: String?
    @Option(Settings.overlays) var overlays: String?
    @Option(Settings.maxBodyBytes) var maxBodyBytes: String?

    @OptionGroup(title: "URLs") var fetching: BatchFetchOptions

    func run() async throws {
        // Contains only the credentials of buckets: variables of the service do not affect other commands.
        let environment = ProcessInfo.processInfo.environment.filter { $0.key.hasPrefix("AWS_") }
        var reader = SettingsReader(environment: environment)
        let settings = WorkerSettings(workers: workers, detector: detector, fetching, &reader)
        let stickers = ServeSettings.overlays(overlays, &reader)
        let bodyBytes = reader.value(Settings.maxBodyBytes, maxBodyBytes)
        if !reader.errors.isEmpty { throw CommandFailure.usage(reader.errors) }
        Allocator.configure()
        _ = OpenFileLimit.raise()
        let stream = try StandardJobStream()
        let signals = try SignalListener([SIGINT, SIGTERM]) { number, _ in
            // exit(3) would destroy global state that active workers still use.
            guard !stream.isStopped else { _exit(128 + number) }
            stream.stop()
        }
        defer { signals.stop() }
        let limits = PipeLimits(inWork: settings.inWork, maxBodyBytes: bodyBytes)
        let images = try images(settings, stickers)
        let pipe = JobPipe(stream, handler: images, workers: settings.workers, limits: limits)
        if try await pipe.run() == .broken { throw ExitCode(2) }
    }

    /// The image service, without caches of sources and results, because the images of a data set are rarely repeated.
    private func images(_ settings: WorkerSettings, _ stickers: OverlaySet) throws -> ImageService {
        let service = try settings.service()
        var fetching = settings.fetching
        fetching.waitingLimit = settings.inWork
        let fetcher = ImageFetcher(configuration: fetching, logger: .silent)
        let caches = CacheConfiguration(sourceBytes: 0, resultBytes: 0)
        return ImageService(
            workers: service,
            caches: ServiceCaches(caches, service: service, fetcher: fetcher, logger: .silent),
            // Jobs wait without a practical limit, because the number of jobs in progress is limited.
            queueTimeout: .seconds(86_400),
            overlays: stickers
        )
    }
}

/// A stream of jobs over standard input and standard output.
final class StandardJobStream: JobStream {
    private let isStopping = Atomic(false)
    /// The read end of a pipe that becomes readable after ``stop()`` and wakes poll(2).
    private let wakeRead: Int32
    private let wakeWrite: Int32

    /// - Throws: A ``CommandFailure`` if no descriptor is available.
    init() throws(CommandFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw CommandFailure("a pipe: \(SystemError.last.reason)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (wakeRead, wakeWrite) = (ends[0], ends[1])
    }

    deinit {
        close(wakeRead)
        close(wakeWrite)
    }

    var isStopped: Bool { isStopping.load(ordering: .relaxed) }

    func stop() {
        if !isStopping.exchange(true, ordering: .relaxed) { _ = Glibc.write(wakeWrite, "x", 1) }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            var ends = [wakeRead, STDIN_FILENO].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let ready = poll(&ends, nfds_t(ends.count), -1)
            if isStopped { return 0 }
            if ready > 0 {
                let count = Glibc.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
                if count >= 0 { return count }
            }
            if errno != EINTR, errno != EAGAIN {
                throw CommandFailure("standard input: \(SystemError.last.reason)")
            }
        }
    }

    func write(_ bytes: [UInt8]) throws { try StandardStream.output.write(bytes) }
}
#endif
