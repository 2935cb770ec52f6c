import FaceDetection
import Pipeline
import Synchronization

/// The configured detector: a built-in one, one added by the program, or a named model file.
enum DetectorChoice: Equatable {
    case builtIn(BuiltInDetector)
    /// One of the ``AddedDetectors``.
    case added(name: String)
    /// A detector saved by dlib's trainer.
    case file(name: String, path: String)

    static var standard: DetectorChoice {
        AddedDetectors.all.first.map { .added(name: $0.name) } ?? .builtIn(BuiltInDetector.all[0])
    }

    init?(_ text: String) {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty {
            self = .file(name: String(sides[0]), path: String(sides[1]))
            return
        }
        if let detector = BuiltInDetector.all.first(where: { $0.name == text }) {
            self = .builtIn(detector)
        } else if AddedDetectors.all.contains(where: { $0.name == text }) {
            self = .added(name: text)
        } else {
            return nil
        }
    }

    var word: String {
        switch self {
        case .builtIn(let detector): detector.name
        case .added(let name): name
        case .file(let name, let path): "\(name)=\(path)"
        }
    }

    /// Whether it is a face detector, so that `headroom doctor` expects it to find a drawn face.
    var findsFaces: Bool {
        if case .builtIn = self { true } else { false }
    }

    /// Loads the model.
    ///
    /// - Throws: `DetectionError` if the file is not a detector.
    func model() throws -> FaceDetectorModel {
        switch self {
        case .builtIn(let detector): return try detector.model()
        case .added(let name):
            guard let model = AddedDetectors.all.first(where: { $0.name == name }) else {
                preconditionFailure("only names of added detectors become this case")
            }
            return model
        case .file(let name, let path): return try .file(path, name: name)
        }
    }
}

/// The detectors that a program adds to the built-in ones.
///
/// They are set once, before the command line is parsed, and apply to the whole process: they are global because the
/// argument parser creates the commands itself.
enum AddedDetectors {
    private static let models = Mutex<[FaceDetectorModel]>([])

    /// All added detectors, the default first.
    static var all: [FaceDetectorModel] { models.withLock { $0 } }

    /// Adds detectors.
    ///
    /// If a name is invalid, adds none and returns the error.
    static func add(_ added: [FaceDetectorModel]) -> String? {
        var taken = Set(BuiltInDetector.all.map(\.name))
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
