import FaceDetection
import Foundation
import Pipeline
import Workers

/// Trains the landmark weights: landmark-trainer CORPUS FOLDER [FOLDS].
///
/// CORPUS/landmarks.jsonl names images with marked faces (docs/contributing/landmark-training.md); FOLDER receives a
/// table for HOG's boxes and a table for the network's points. With FOLDS, the program only measures errors by
/// cross-validation: it tests each part of the images with weights that were trained on the other parts.
@main
struct LandmarkTrainer {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard (3...4).contains(arguments.count), let folds = arguments.count == 4 ? Int(arguments[3]) : 0, folds != 1
        else { fail("usage: landmark-trainer CORPUS FOLDER [FOLDS]", code: 64) }
        let corpus = URL(filePath: arguments[1], directoryHint: .isDirectory)
        let (standard, hog) = (try service(.standard), try service(.hog))
        let network = try FaceNetwork()
        let images = try MarkedImage.read(corpus.appending(path: "landmarks.jsonl"))
        var (boxed, near): ([MarkedFace], [NearFace]) = ([], [])
        for image in images {
            boxed += try await image.boxedFaces(in: corpus, hog: hog)
            near += try await image.nearFaces(in: corpus, service: standard, network: network)
        }
        let marked = images.map(\.faces.count).reduce(0, +)
        print(
            "of \(marked) marked faces in \(images.count) images, HOG found \(boxed.count) and the network "
                + "\(near.count)"
        )
        if folds > 1 {
            try Validation(folds: folds).run(boxed)
            try Validation(folds: folds).run(near)
            return
        }
        let folder = URL(filePath: arguments[2], directoryHint: .isDirectory)
        for (name, table) in [
            ("landmarks", try Training.table(boxed)), ("landmarks-network", try Training.table(near)),
        ] {
            try Data(table).write(to: folder.appending(path: "\(name).dat"))
            print("\(name).dat: \(table.count) bytes")
        }
    }

    private static func service(_ model: FaceDetectorModel) throws -> WorkerService {
        try WorkerService(
            model: model,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 1, maxBytesInFlight: 1 << 30)
        )
    }

    private static func fail(_ message: String, code: Int32) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(code)
    }
}
