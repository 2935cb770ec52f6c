import FaceDetection

/// Which detector finds the faces: a built-in one, or a model file under a name of one's own.
enum DetectorChoice: Equatable {
    /// dlib's frontal face detector, evaluated faster than dlib does.
    case hog
    /// The same detector, evaluated by dlib itself.
    case dlib
    /// A detector that dlib's trainer saved.
    case file(name: String, path: String)

    init?(_ text: String) {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty {
            self = .file(name: String(sides[0]), path: String(sides[1]))
            return
        }
        switch text {
        case "hog": self = .hog
        case "dlib": self = .dlib
        default: return nil
        }
    }

    /// What it is called on the command line.
    var word: String {
        switch self {
        case .hog: "hog"
        case .dlib: "dlib"
        case .file(let name, let path): "\(name)=\(path)"
        }
    }

    /// Loads it.
    func model() throws -> FaceDetectorModel {
        switch self {
        case .hog: try .standard
        case .dlib: try .dlib
        case .file(let name, let path): try .file(path, name: name)
        }
    }
}
