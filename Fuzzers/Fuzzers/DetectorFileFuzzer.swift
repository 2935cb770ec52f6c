import CDlibFixtures
import FaceDetection
import Foundation

extension Fuzzer {
    /// Detector files of dlib's trainer.
    static let detectorFile = Fuzzer(name: "detector-file", maxLength: 16_384) {
        let path = file + ".seed"
        defer { unlink(path) }
        return try [1, 2].map { filters in
            guard hr_fixture_save_random(path, 24, 24, 0, Int32(filters)) else { throw CocoaError(.fileWriteUnknown) }
            return Array(try Data(contentsOf: URL(filePath: path)))
        }
    } run: { input in
        guard let stream = fopen(file, "w") else { preconditionFailure("no file in /dev/shm") }
        fwrite(input.baseAddress, 1, input.count, stream)
        fclose(stream)
        _ = try? FaceDetectorModel.file(file, name: "fuzzed").makeDetector()
    }

    private static let file = "/dev/shm/headroom-fuzzed-detector-\(getpid())"
}
