import Glibc
import Synchronization
import Workers

/// The internal command that runs this program as a worker process of `headroom serve`; it is not listed in the help.
enum WorkerEntry {
    private static let word = "worker-process"

    /// The command that starts a worker with the detector.
    static func command(_ detector: DetectorChoice) -> WorkerCommand {
        WorkerCommand(arguments: [word, detector.word])
    }

    /// If the program was started as a worker, runs the worker and does not return.
    ///
    /// Called before anything else: a worker starts with one thread and only its inherited descriptors.
    static func runIfWorker() {
        let arguments = ProgramArguments.all
        guard arguments.count == 3, arguments[1] == word, let detector = DetectorChoice(arguments[2]) else { return }
        Allocator.configureForWorker()
        FrameWorker.run(jobs: jobs) { try detector.model() }
    }
}

extension WorkerEntry {
    /// The worker of ``startEarly()`` until ``takeEarly()``; it is global because the argument parser creates the
    /// command itself.
    private static let early = Mutex<EarlyWorker?>(nil)

    /// The arguments of `headroom serve` that may require no worker, or a worker with another detector.
    private static let exceptions = ["--detector", "--isolation", "-h", "--help", "--version"]

    /// Whether the command is `headroom serve`.
    static var isService: Bool { ProgramArguments.all.dropFirst().first == "serve" }

    /// Starts the first worker of `headroom serve` before the command line and the settings are read.
    ///
    /// It has the default detector. If the settings file selects another detector, or threads, the process is ended.
    static func startEarly() {
        guard isService else { return }
        let arguments = ProgramArguments.all.dropFirst()
        let isExceptional = arguments.contains { argument in exceptions.contains { argument.hasPrefix($0) } }
        guard !isExceptional, getenv("HEADROOM_DETECTOR") == nil, getenv("HEADROOM_ISOLATION") == nil else { return }
        let worker = EarlyWorker(command(.standard))
        early.withLock { $0 = worker }
    }

    /// The worker that ``startEarly()`` started; nil if there is none, and at the second call.
    static func takeEarly() -> EarlyWorker? { early.withLock { $0.take() } }
}
