internal import CDlibHOG

/// The weights of one of dlib's detectors.
///
/// `@unchecked Sendable`: the C object is immutable.
final class DlibModel: @unchecked Sendable {
    let handle: OpaquePointer
    /// The pose for each `weight_index`; empty for detectors other than dlib's frontal detector.
    let poses: [Pose]

    private init(adopting handle: OpaquePointer, poses: [Pose]) {
        self.handle = handle
        self.poses = poses
    }

    deinit { hr_dlib_model_free(handle) }

    /// Creates dlib's frontal face detector.
    static func frontal() throws(DetectionError) -> DlibModel {
        var handle: OpaquePointer?
        var message = hr_dlib_message()
        let status = hr_dlib_model_frontal(&handle, &message)
        guard status == HR_DLIB_OK, let handle else { throw DetectionError(status, message) }
        return DlibModel(adopting: handle, poses: Pose.partsOfFrontalDetector)
    }

    /// Reads a detector saved by dlib's trainer.
    static func read(_ path: String) throws(DetectionError) -> DlibModel {
        var handle: OpaquePointer?
        var message = hr_dlib_message()
        let status = hr_dlib_model_read(path, &handle, &message)
        guard status == HR_DLIB_OK, let handle else { throw DetectionError(status, message, path: path) }
        return DlibModel(adopting: handle, poses: [])
    }
}
