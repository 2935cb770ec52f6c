import Workers

/// The internal command that runs this program as a worker process of `headroom serve`; it is not listed in the help.
enum WorkerEntry {
    private static let word = "worker-process"

    /// The command that starts a worker with the detector.
    static func command(_ detector: DetectorChoice) -> WorkerCommand {
        WorkerCommand(arguments: [word, detector.word])
    }

    /// Runs as a worker if the program was started as one, and then does not return.
    ///
    /// Called before anything else: a worker starts with one thread and only its inherited descriptors.
    static func runIfWorker() {
        let arguments = ProgramArguments.all
        guard arguments.count == 3, arguments[1] == word, let detector = DetectorChoice(arguments[2]) else { return }
        Allocator.configure()
        FrameWorker.run { try detector.model() }
    }
}
