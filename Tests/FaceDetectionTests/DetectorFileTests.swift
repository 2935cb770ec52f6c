import CDlibFixtures
import FaceDetection
import Foundation
import Geometry
import TestPacing
import Testing

@Suite("Detector files", .limitedConcurrency)
struct DetectorFileTests {
    @Test func `a file saved by dlib gives the same results as the saved detector`() throws {
        try withTemporaryFile { path in
            #expect(hr_fixture_save_frontal(path, -1))
            let image = LumaTestImage(faceOfSide: 110)
            let fromFile = try image.detections(
                by: FaceDetectorModel.file(path, name: "saved").makeDetector(),
                threshold: -0.5
            )
            let builtIn = try image.detections(by: FaceDetectorModel.hog.makeDetector(), threshold: -0.5)
            #expect(!builtIn.isEmpty)
            #expect(fromFile.map(\.box) == builtIn.map(\.box))
            #expect(fromFile.map(\.confidence) == builtIn.map(\.confidence))
            #expect(fromFile.allSatisfy { $0.pose == nil })
        }
    }

    @Test func `a single sub-detector can be a separate file`() throws {
        try withTemporaryFile { path in
            #expect(hr_fixture_save_frontal(path, 0))
            let detector = try FaceDetectorModel.file(path, name: "front").makeDetector()
            #expect(detector.name == "front")
            #expect(detector.smallestDetectableSide == 80)
            #expect(try LumaTestImage(faceOfSide: 110).detections(by: detector).count == 1)
        }
    }

    @Test func `a detector trained on other objects finds them`() throws {
        try withTemporaryFile { path in
            #expect(hr_fixture_train_discs(path))
            let detector = try FaceDetectorModel.file(path, name: "discs").makeDetector()
            #expect(detector.smallestDetectableSide == 56)

            var image = LumaTestImage(width: 300, height: 240, fill: 60)
            for y in 0..<240 {
                for x in 0..<300 where (x - 200) * (x - 200) + (y - 100) * (y - 100) <= 30 * 30 {
                    image.bytes[y * 300 + x] = 230
                }
            }
            let found = try image.detections(by: detector)
            #expect(found.count == 1)
            #expect(overlap(try #require(found.first).box, PixelRect(x: 168, y: 68, width: 64, height: 64)) > 0.6)
        }
    }

    @Test func `a missing file is unreadable`() {
        #expect {
            try FaceDetectorModel.file("/nowhere/dogs.svm", name: "dogs")
        } throws: { error in
            guard case DetectionError.unreadableModel(path: "/nowhere/dogs.svm", _) = error else { return false }
            return "\(error)".contains("No such file")
        }
    }

    @Test func `an empty file and a file that is not regular are unreadable`() throws {
        try withTemporaryFile { path in
            try Data().write(to: URL(fileURLWithPath: path))
            let pipe = "\(path)-pipe"
            #expect(mkfifo(pipe, 0o600) == 0)
            defer { unlink(pipe) }
            for (other, reason) in [
                (path, "no bytes in it, or not a file"), ("/", "not a regular file"),
                ("/dev/zero", "not a regular file"),
                (pipe, "not a regular file"),
            ] {
                #expect(throws: DetectionError.unreadableModel(path: other, reason: reason)) {
                    try FaceDetectorModel.file(other, name: "none")
                }
            }
        }
    }

    @Test(arguments: [1, 2, 3, 10, 40, 100, 1000, 100_000])
    func `a truncated file is invalid`(length: Int) throws {
        try withTemporaryFile { path in
            #expect(hr_fixture_save_frontal(path, -1))
            let url = URL(fileURLWithPath: path)
            try Data(contentsOf: url).prefix(length).write(to: url)
            #expect(throws: DetectionError.self) { try FaceDetectorModel.file(path, name: "cut") }
        }
    }

    @Test func `a changed byte in the header never causes a crash`() throws {
        try withTemporaryFile { path in
            #expect(hr_fixture_save_frontal(path, 0))
            let url = URL(fileURLWithPath: path)
            let bytes = [UInt8](try Data(contentsOf: url))
            let image = LumaTestImage(width: 100, height: 90)
            for position in 0..<110 {
                for value in [0, 1, 0x7f, 0x81, 0xff, bytes[position] ^ 0x10] as [UInt8] {
                    var changed = bytes
                    changed[position] = value
                    try Data(changed).write(to: url)
                    guard let model = try? FaceDetectorModel.file(path, name: "changed") else { continue }
                    _ = try? image.detections(by: model.makeDetector())
                }
            }
        }
    }

    @Test func `text is not a detector`() throws {
        try withTemporaryFile { path in
            try Data(String(repeating: "not a detector at all\n", count: 50).utf8).write(to: URL(fileURLWithPath: path))
            #expect {
                try FaceDetectorModel.file(path, name: "text")
            } throws: { error in
                if case DetectionError.invalidModel(path: path, _) = error { true } else { false }
            }
        }
    }
}

/// Runs `body` with the path of a file that does not exist yet, and removes the file afterwards.
private func withTemporaryFile(_ body: (String) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).svm")
    defer { try? FileManager.default.removeItem(at: url) }
    try body(url.path)
}
