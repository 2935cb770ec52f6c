import FaceDetection
import Synchronization

/// The detectors that a program adds to the built-in ones.
///
/// They are set once, before the command line is parsed, and apply to the whole process: the argument parser creates
/// the commands itself, so that nothing can be passed to them.
enum AddedDetectors {
    private static let models = Mutex<[FaceDetectorModel]>([])

    /// All of them, the default first.
    static var all: [FaceDetectorModel] { models.withLock { $0 } }

    /// Adds detectors.
    ///
    /// - Returns: The error if a name is invalid; nothing is added then.
    static func add(_ added: [FaceDetectorModel]) -> String? {
        var taken: Set = ["hog", "dlib"]
        for model in added {
            guard !model.name.isEmpty, !model.name.contains("=") else {
                return "a detector cannot be named \"\(model.name)\": expected a name without ="
            }
            guard taken.insert(model.name).inserted else { return "there are two detectors named \(model.name)" }
        }
        models.withLock { $0 = added }
        return nil
    }
}
