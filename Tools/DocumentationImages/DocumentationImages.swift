import FaceDetection
import Foundation
import Framing
import Imaging
import Pipeline
import TestImages
import Workers

/// Draws the images in `docs/images`: `DocumentationImages FOLDER`.
///
/// The sources are drawings instead of photos, and the service's own code computes the crops.
@main
struct DocumentationImages {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else {
            fail("usage: DocumentationImages FOLDER", code: 64)
        }
        let folder = URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let service = try WorkerService(
            model: .standard,
            limits: PipelineLimits(),
            pool: .init(workers: 1, queueLimit: 1, maxBytesInFlight: 1 << 30)
        )
        for image in ImageSet.all() {
            let bytes = try ImageEncoder.encode(try image.scene.image(), as: image.format)
            let plan = try await service.run(FrameJob(source: bytes, target: .plan)).plan
            guard plan.faces.count == image.faces else {
                fail("\(image.name): \(plan.faces.count) faces found of \(image.faces)", code: 1)
            }
            let subjects = plan.crops.first?.decision == .subject ? plan.subjects : []
            guard Set(subjects.filter { $0.score >= 0.3 }.map(\.kind)) == image.subjects else {
                fail("\(image.name): found \(subjects.map { "\($0.kind.word) \($0.score)" })", code: 1)
            }
            try write(bytes, to: folder.appending(path: image.name), note: "\(plan.faces.count) faces found")
        }
        for (name, scene) in [
            ("before-after.png", ImageSet.scene()), ("before-after-subject.png", ImageSet.fromBehind()),
        ] {
            let source = try ImageEncoder.encode(try scene.image(), as: .jpeg)
            let comparison = try await BeforeAndAfter(source: source, service: service).image()
            try write(comparison, to: folder.appending(path: name), note: "centre crop and Headroom's")
        }
        let following = try await FollowingCrop(service: service).image()
        try write(following, to: folder.appending(path: "following.webp"), note: "a crop that follows")
        for sheet in try ResultSheet.all() {
            let image = try await sheet.image(service)
            try write(image, to: folder.appending(path: sheet.name), note: "\(sheet.jobs.count) results")
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
