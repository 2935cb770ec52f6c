import FaceDetection
import Foundation
import Imaging
import Pipeline
import TestPictures
import Workers

/// Draws the pictures in `docs/pictures`: `HeadroomPictures FOLDER`.
///
/// The pictures are drawn instead of photographs, and the crops are made by the service's own code.
@main
struct HeadroomPictures {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else {
            fail("usage: HeadroomPictures FOLDER", code: 64)
        }
        let folder = URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let service = try WorkerService(
            model: .standard,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 1, maxBytesInFlight: 1 << 30)
        )
        for picture in PictureSet.all() {
            let bytes = try ImageEncoder.encode(try picture.scene.image(), as: picture.format)
            let faces = try await service.run(FrameJob(source: bytes, target: .plan)).plan.faces.count
            guard faces == picture.people else {
                fail("\(picture.name): \(faces) faces found of \(picture.people)", code: 1)
            }
            try write(bytes, to: folder.appending(path: picture.name), note: "\(faces) faces found")
        }
        let scene = try ImageEncoder.encode(try PictureSet.scene().image(), as: .jpeg)
        let comparison = try await BeforeAndAfter(source: scene, service: service).picture()
        try write(comparison, to: folder.appending(path: "before-after.png"), note: "centre crop and Headroom's")
        let following = try await FollowingCrop(service: service).picture()
        try write(following, to: folder.appending(path: "following.webp"), note: "a crop that follows")
        for sheet in try ResultSheet.all() {
            let picture = try await sheet.picture(service)
            try write(picture, to: folder.appending(path: sheet.name), note: "\(sheet.jobs.count) results")
        }
    }

    private static func fail(_ message: String, code: Int32) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(code)
    }

    private static func write(_ bytes: [UInt8], to file: URL, note: String) throws {
        try Data(bytes).write(to: file)
        print("\(file.lastPathComponent): \(bytes.count) bytes, \(note)")
    }
}
