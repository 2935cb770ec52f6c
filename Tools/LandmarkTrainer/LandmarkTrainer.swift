import FaceDetection
import Foundation
import Pipeline
import Workers

/// Trains the weights of the landmarks: landmark-trainer CORPUS FILE [FOLDS].
///
/// CORPUS/landmarks.jsonl names pictures with marked faces (docs/landmarks.md). With FOLDS, it measures by
/// cross-validation instead: each part of the pictures is tested with weights trained on the others.
@main
struct LandmarkTrainer {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard (3...4).contains(arguments.count), let folds = arguments.count == 4 ? Int(arguments[3]) : 0, folds != 1
        else { fail("usage: landmark-trainer CORPUS FILE [FOLDS]", code: 64) }
        let corpus = URL(filePath: arguments[1], directoryHint: .isDirectory)
        let service = try WorkerService(
            model: .standard,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 1, maxBytesInFlight: 1 << 30)
        )
        let pictures = try MarkedPicture.read(corpus.appending(path: "landmarks.jsonl"))
        var faces: [MarkedFace] = []
        for picture in pictures {
            faces += try await picture.faces(in: corpus, service: service)
        }
        let marked = pictures.map(\.faces.count).reduce(0, +)
        print("\(faces.count) of \(marked) marked faces in \(pictures.count) pictures were found")
        if folds > 1 {
            try Validation(faces: faces, folds: folds).run()
        } else {
            let table = try Training.table(faces)
            try Data(table).write(to: URL(filePath: arguments[2]))
            print("\(arguments[2]): \(table.count) bytes")
        }
    }

    private static func fail(_ message: String, code: Int32) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(code)
    }
}
