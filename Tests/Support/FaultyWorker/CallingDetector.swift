import CForbiddenCalls
import FaceDetection
import Geometry

/// A detector that makes one of the system calls that are forbidden, in pictures that are brighter than those of warming up.
struct CallingDetector: FaceDetector {
    let name = "faulty"
    let smallestDetectableSide = 80
    let call: Int32

    mutating func detect(in image: LumaImage, threshold: Double) throws -> [Detection] {
        guard image.pixels[0] >= 200 else { return [] }
        hr_forbidden_call(call)
        // It was possible: a confidence that tests look for.
        return [Detection(box: PixelRect(image.size), confidence: 99)]
    }
}
