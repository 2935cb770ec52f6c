import CFaceNet
import CHOGDetector
import FaceDetection
import Framing
import Geometry
import SubjectDetection

extension Fuzzer {
    /// Images of all sizes for the subject network: two bytes for each side, one for the threshold, then samples that
    /// repeat.
    static let subjectNetwork = Fuzzer(name: "subject-network", maxLength: 4096) {
        [
            [0, 1, 0, 1, 0], [0, 64, 0, 48, 90, 7, 200, 13], [1, 0, 0, 3, 0, 255], [0, 0, 0, 8, 0], [2, 1, 0, 1, 0, 9],
        ]
    } run: { input in
        guard input.count > 5 else { return }
        let size = PixelSize(width: Int(input[0]) << 8 | Int(input[1]), height: Int(input[2]) << 8 | Int(input[3]))
        // Larger images take longer without reaching more code.
        guard size.area <= 1 << 16 else { return }
        let threshold = Double(input[4]) / 250
        let samples = (0..<max(1, size.area)).map { input[5 + $0 % (input.count - 5)] }
        samples.withUnsafeBufferPointer { buffer in
            guard let pixels = buffer.baseAddress, let network else { return }
            let image = LumaImage(pixels: pixels, size: size, bytesPerRow: size.width)
            let whole = PixelSize(width: size.width * 3, height: size.height * 2)
            let found = try? network.detect(red: image, green: image, blue: image, threshold: threshold, in: whole)
            let isValid = size.area > 0 && size.longSide <= 512 && threshold <= 1
            precondition((found != nil) == isValid, "sizes and thresholds that are rejected")
            for one in found ?? [] {
                precondition(one.score >= threshold - 0.01 && one.score <= 1, "a score out of range")
                precondition(one.box.width > 0 && one.box.height > 0, "an object without area")
                precondition(one.box.x >= 0 && one.box.x + one.box.width <= Double(whole.width) + 0.01, "outside")
            }
        }
    }

    /// Weight tables of the subject network: the program's table with changes from the input.
    ///
    /// Each change has three bytes for the position and one byte for the value. An odd first byte truncates the table
    /// at the first change.
    static let subjectWeights = Fuzzer(name: "subject-weights", maxLength: 1024) {
        [[0], [0, 0, 0, 8, 28], [1, 0, 1, 0, 0], [0, 0, 0, 16, 127, 0, 0, 17, 127], [1, 0, 0, 0, 0]]
    } run: { input in
        guard let first = input.first else { return }
        var count = 0
        let bytes = hr_subjects_weights(&count)
        var table = Array(UnsafeBufferPointer(start: bytes, count: count))
        for at in stride(from: 1, to: input.count - 3, by: 4) where !table.isEmpty {
            let place = (Int(input[at]) << 16 | Int(input[at + 1]) << 8 | Int(input[at + 2])) % table.count
            if first % 2 == 1 {
                table.removeLast(table.count - place)
                break
            }
            table[place] = input[at + 3]
        }
        table.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            var (model, detector): (OpaquePointer?, OpaquePointer?)
            defer {
                hr_subjects_free(detector)
                hr_subjects_model_free(model)
            }
            let status = hr_subjects_model_make(start, buffer.count, hr_hog_best_instructions(), &model)
            guard status == HR_NET_OK, let model else { return }
            guard hr_subjects_make(model, &detector) == HR_NET_OK, let detector else { return }
            let pixels = (0..<64 * 40).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            pixels.withUnsafeBufferPointer { plane in
                guard let red = plane.baseAddress else { return }
                var image = hr_net_image(
                    planes: (red, red, red),
                    bytes_per_row: (64, 64, 64),
                    width: 64,
                    height: 40
                )
                var findings = hr_subject_findings()
                precondition(hr_subjects_detect(detector, &image, 0, 0.6, &findings) == HR_NET_OK, "a valid image")
                for one in UnsafeBufferPointer(start: findings.subjects, count: findings.count) {
                    precondition(one.score >= 0 && one.score <= 1 && one.right >= one.left, "values out of range")
                }
            }
        }
    }

    nonisolated(unsafe) private static let network = try? SubjectNetwork()
}
