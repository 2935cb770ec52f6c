internal import CDlibHOG
import Geometry

extension DetectionError {
    /// Converts a status and message of the C shim; `path` is the path of the file, if a file was read.
    init(_ status: hr_dlib_status, _ message: hr_dlib_message, path: String = "") {
        let reason = withUnsafeBytes(of: message.text) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        self =
            switch status {
            case HR_DLIB_UNREADABLE_FILE: .unreadableModel(path: path, reason: reason)
            case HR_DLIB_INVALID_MODEL: .invalidModel(path: path, reason: reason)
            case HR_DLIB_INVALID_IMAGE: .invalidImage
            case HR_DLIB_OUT_OF_MEMORY: .outOfMemory
            default: .failed(reason: reason)
            }
    }

    /// Validates the parameters that all detectors of this module share.
    static func check(_ image: LumaImage, threshold: Double) throws(DetectionError) {
        guard (-2...100).contains(threshold) else { throw .invalidThreshold(threshold) }
        let sides = 1...HR_DLIB_MAX_SIDE
        guard sides.contains(image.size.width), sides.contains(image.size.height),
            image.bytesPerRow >= image.size.width
        else { throw .invalidImage }
    }
}
