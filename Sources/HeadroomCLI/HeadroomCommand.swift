import Dispatch
@_exported public import FaceDetection
import Foundation
@_exported public import Geometry

/// The command-line program with `headroom serve`, `headroom frame` and the other commands.
///
/// The `headroom` executable only calls it. Write another executable to add detectors:
///
/// ```swift
/// import Headroom
///
/// @main
/// enum Program {
///     static func main() {
///         HeadroomCommand.main(detectors: [FaceDetectorModel(name: "bright-spot") { BrightSpot() }])
///     }
/// }
/// ```
public enum HeadroomCommand {
    /// Runs the command given by the program's arguments, and exits with its status.
    ///
    /// It must be the first call of the program, from a `main()` that is not `async`: worker processes are the same
    /// program, started with other arguments, and must have one thread and no open files when they begin.
    ///
    /// - Parameter detectors: Choices of `--detector` besides the built-in ones; the first is the default. Names are
    ///   unique, not empty, without `=`, and neither `hog` nor `dlib`: otherwise the program exits with status 1.
    public static func main(detectors: [FaceDetectorModel] = []) -> Never {
        if let problem = AddedDetectors.add(detectors) {
            StandardStream.error.writeLine("Error: \(problem)")
            exit(EXIT_FAILURE)
        }
        WorkerEntry.runIfWorker()
        Task {
            await RootCommand.main()
            exit(EXIT_SUCCESS)
        }
        dispatchMain()
    }
}
