import FaceDetection
import Foundation

/// Which detector finds the faces: a built-in one, or a model file under a name of one's own.
enum DetectorChoice: Equatable {
    case builtIn(String)
    case file(name: String, path: String)

    static let standard = DetectorChoice.builtIn("dlib")

    static let expected = "dlib, or NAME=FILE.svm"

    static let help = """
        dlib, which finds frontal faces, or NAME=FILE.svm, a HOG detector saved by dlib's trainer. (default: dlib)
        """

    init?(_ text: String) {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty {
            self = .file(name: String(sides[0]), path: String(sides[1]))
        } else if text == "dlib" {
            self = .builtIn(text)
        } else {
            return nil
        }
    }

    /// Loads it.
    func model() throws -> FaceDetectorModel {
        switch self {
        case .builtIn: try .dlib
        case .file(let name, let path): try .file(path, name: name)
        }
    }
}
