internal import CDlibHOG
import Geometry

/// dlib's HOG detector, evaluated by dlib.
package final class DlibDetector: FaceDetector {
    package let name: String
    package let smallestDetectableSide: Int
    private let model: DlibModel
    private let handle: OpaquePointer

    /// Creates a detector with its own working memory.
    convenience init(model: DlibModel, name: String) throws(DetectionError) {
        try self.init(model: model, name: name, instructions: hr_dlib_best_instructions())
    }

    private init(model: DlibModel, name: String, instructions: hr_dlib_instructions) throws(DetectionError) {
        var handle: OpaquePointer?
        var message = hr_dlib_message()
        let status = hr_dlib_detector_make(model.handle, instructions, &handle, &message)
        guard status == HR_DLIB_OK, let handle else { throw DetectionError(status, message) }
        self.handle = handle
        self.model = model
        self.name = name
        smallestDetectableSide = Int(hr_dlib_model_smallest_side(model.handle))
    }

    /// Creates dlib's frontal detector without AVX2.
    package static func frontalWithoutAVX2() throws -> DlibDetector {
        try DlibDetector(model: .frontal(), name: "dlib-hog", instructions: HR_DLIB_BASELINE)
    }

    /// Creates a detector saved by dlib's trainer, evaluated by dlib.
    package static func file(_ path: String) throws -> DlibDetector {
        try DlibDetector(model: .read(path), name: "file")
    }

    deinit { hr_dlib_detector_free(handle) }

    package func detect(in image: LumaImage, threshold: Double) throws -> [Detection] {
        try DetectionError.check(image, threshold: threshold)
        var found: UnsafePointer<hr_dlib_detection>?
        var count = 0
        var message = hr_dlib_message()
        let status = hr_dlib_detect(
            handle,
            image.pixels,
            image.size.width,
            image.size.height,
            image.bytesPerRow,
            threshold,
            &found,
            &count,
            &message
        )
        guard status == HR_DLIB_OK else { throw DetectionError(status, message) }
        return UnsafeBufferPointer(start: found, count: count).map { raw in
            Detection(
                box: PixelRect(x: Int(raw.x), y: Int(raw.y), width: Int(raw.width), height: Int(raw.height)),
                confidence: raw.confidence,
                pose: Int(raw.weight_index) < model.poses.count ? model.poses[Int(raw.weight_index)] : nil
            )
        }
    }
}
