import FaceDetection
import Synchronization

/// The configured detector: a built-in one, one added by the program, or a named model file.
enum DetectorChoice: Equatable {
    #if YuNet
    /// A small neural network and dlib's frontal face detector.
    case both
    /// Only the network.
    case network
    #endif
    /// dlib's frontal face detector, evaluated faster than by dlib.
    case hog
    /// The same detector, evaluated by dlib itself.
    case dlib
    /// One of the ``AddedDetectors``.
    case added(name: String)
    /// A detector saved by dlib's trainer.
    case file(name: String, path: String)

    static var standard: DetectorChoice { AddedDetectors.all.first.map { .added(name: $0.name) } ?? builtIn[0] }

    /// The detectors that are part of every program, the default first.
    static var builtIn: [DetectorChoice] {
        #if YuNet
        [.both, .network, .hog, .dlib]
        #else
        [.hog, .dlib]
        #endif
    }

    /// The detectors with a network, as words of a help text with a comma at the end.
    static var networkWords: String {
        #if YuNet
        "yunet+hog, yunet (neural network), "
        #else
        ""
        #endif
    }

    init?(_ text: String) {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty {
            self = .file(name: String(sides[0]), path: String(sides[1]))
            return
        }
        if let choice = Self.builtIn.first(where: { $0.word == text }) {
            self = choice
        } else if AddedDetectors.all.contains(where: { $0.name == text }) {
            self = .added(name: text)
        } else {
            return nil
        }
    }

    var word: String {
        switch self {
        #if YuNet
        case .both: "yunet+hog"
        case .network: "yunet"
        #endif
        case .hog: "hog"
        case .dlib: "dlib"
        case .added(let name): name
        case .file(let name, let path): "\(name)=\(path)"
        }
    }

    /// Whether it is a face detector, so that `headroom doctor` expects it to find a drawn face.
    var findsFaces: Bool { Self.builtIn.contains(self) }

    /// Loads the model.
    ///
    /// - Throws: `DetectionError` if the file is not a detector.
    func model() throws -> FaceDetectorModel {
        switch self {
        #if YuNet
        case .both: return try .standard
        case .network: return .network
        #endif
        case .hog: return try .hog
        case .dlib: return try .dlib
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
        var taken = Set(DetectorChoice.builtIn.map(\.word))
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
