import FramePipeline
import Isolation

/// The command that makes this program a worker process of `headroom serve`; no help lists it, for nobody else can call
/// it.
enum WorkerEntry {
    private static let word = "worker-process"

    /// What starts a worker with the detector.
    static func command(_ detector: DetectorChoice) -> WorkerCommand {
        WorkerCommand(arguments: [word, detector.word])
    }

    /// Becomes a worker if the program was called as one.
    ///
    /// Before anything else: a worker is one thread with nothing open but what it was born with.
    static func runIfAsked() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, arguments[1] == word, let detector = DetectorChoice(arguments[2]) else { return }
        Allocator.configure()
        FrameWorker.run { try detector.model() }
    }
}
