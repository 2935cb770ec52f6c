import FaceDetection
import Geometry

extension Fuzzer {
    /// Images of all sizes for the face network: two bytes for each side, one for the threshold, then samples that
    /// repeat.
    static let faceNetwork = Fuzzer(name: "face-network", maxLength: 4096) {
        [
            [0, 1, 0, 1, 0], [0, 64, 0, 48, 90, 7, 200, 13], [1, 44, 0, 3, 0, 255], [0, 0, 0, 8, 0],
            [255, 255, 0, 1, 0],
        ]
    } run: { input in
        guard input.count > 5 else { return }
        let size = PixelSize(width: Int(input[0]) << 8 | Int(input[1]), height: Int(input[2]) << 8 | Int(input[3]))
        // Larger images take longer without reaching more code.
        guard size.area <= 1 << 16 else { return }
        let threshold = Double(input[4]) / 64 - 2
        let samples = (0..<max(1, size.area)).map { input[5 + $0 % (input.count - 5)] }
        samples.withUnsafeBufferPointer { buffer in
            guard let pixels = buffer.baseAddress, let network else { return }
            let image = LumaImage(pixels: pixels, size: size, bytesPerRow: size.width)
            let found = try? network.detect(red: image, green: image, blue: image, threshold: threshold)
            precondition((found != nil) == (size.area > 0 && size.longSide <= 4096), "sizes that are refused")
            for face in found ?? [] {
                let points = face.landmarks?.points ?? []
                precondition(face.confidence >= threshold - 0.01 && face.confidence <= 2, "a score out of range")
                precondition(face.box.area > 0 && points.count == 5, "a face without area or points")
                precondition(points.allSatisfy { $0.x.isFinite && $0.y.isFinite }, "points that are not numbers")
            }
        }
    }

    nonisolated(unsafe) private static let network = try? FaceNetwork()
}
