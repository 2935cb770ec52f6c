import CForbiddenCalls
import FaceDetection
import Geometry

/// A detector that makes one forbidden system call, for images brighter than the image of the self-test.
struct CallingDetector: FaceDetector {
    let name = "faulty"
    let smallestDetectableSide = 80
    let call: Int32

    mutating func detect(in image: LumaImage, threshold: Double) throws -> [Detection] {
        guard image.pixels[0] >= 200 else { return [] }
        hr_forbidden_call(call)
        // The call succeeded: this score makes the test fail.
        return [Detection(box: PixelRect(image.size), confidence: 99)]
    }
}
