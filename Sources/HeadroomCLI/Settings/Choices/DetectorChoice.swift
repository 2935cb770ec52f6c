import FaceDetection

/// The configured detector: a built-in one, one added by the program, or a named model file.
enum DetectorChoice: Equatable {
    /// A small network and dlib's frontal face detector.
    case both
    /// The network alone.
    case network
    /// dlib's frontal face detector, evaluated faster than dlib does.
    case hog
    /// The same detector, evaluated by dlib itself.
    case dlib
    /// One of ``AddedDetectors``.
    case added(name: String)
    /// A detector saved by dlib's trainer.
    case file(name: String, path: String)

    /// The default choice.
    static var standard: DetectorChoice { AddedDetectors.all.first.map { .added(name: $0.name) } ?? .both }

    init?(_ text: String) {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty {
            self = .file(name: String(sides[0]), path: String(sides[1]))
            return
        }
        switch text {
        case "yunet+hog": self = .both
        case "yunet": self = .network
        case "hog": self = .hog
        case "dlib": self = .dlib
        case _ where AddedDetectors.all.contains { $0.name == text }: self = .added(name: text)
        default: return nil
        }
    }

    /// The value of the option.
    var word: String {
        switch self {
        case .both: "yunet+hog"
        case .network: "yunet"
        case .hog: "hog"
        case .dlib: "dlib"
        case .added(let name): name
        case .file(let name, let path): "\(name)=\(path)"
        }
    }

    /// Whether it is a detector of faces, so that a drawn face must be found.
    var findsFaces: Bool { [.both, .network, .hog, .dlib].contains(self) }

    /// Loads the model.
    ///
    /// - Throws: `DetectionError` if the file is not a detector.
    func model() throws -> FaceDetectorModel {
        switch self {
        case .both: return try .standard
        case .network: return .network
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
