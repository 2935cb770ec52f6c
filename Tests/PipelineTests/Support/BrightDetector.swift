import FaceDetection
import Geometry

/// A detector that finds the bounding box of nearly white pixels.
struct BrightDetector: FaceDetector {
    let name = "bright"
    let smallestDetectableSide = 20

    mutating func detect(in image: LumaImage, threshold: Double) throws -> [Detection] {
        var (left, top, right, bottom) = (Int.max, Int.max, 0, 0)
        for y in 0..<image.size.height {
            for x in 0..<image.size.width where image.pixels[y * image.bytesPerRow + x] > 200 {
                (left, top) = (min(left, x), min(top, y))
                (right, bottom) = (max(right, x + 1), max(bottom, y + 1))
            }
        }
        guard right > left else { return [] }
        let box = PixelRect(x: left, y: top, width: right - left, height: bottom - top)
        return [Detection(box: box, confidence: 2)]
    }
}
