import Geometry

internal import CLandmarks

/// Finds the landmarks of detected faces, with weights that are part of the program.
///
/// `@unchecked Sendable`: the C object is immutable.
package final class LandmarkModel: @unchecked Sendable {
    private let handle: OpaquePointer

    /// The model for HOG's boxes, with the program's weights; they are read on first use.
    package static let standard = Result { () throws(DetectionError) in try LandmarkModel(hr_landmarks_weights) }
    /// The model for the network's landmarks.
    package static let near = Result { () throws(DetectionError) in try LandmarkModel(hr_landmarks_near_weights) }

    private init(_ table: (UnsafeMutablePointer<Int>) -> UnsafePointer<UInt8>) throws(DetectionError) {
        var count = 0
        let weights = table(&count)
        var handle: OpaquePointer?
        let status = hr_landmarks_model_make(weights, count, &handle)
        guard status == HR_LANDMARKS_OK, let handle else { throw DetectionError(status) }
        self.handle = handle
    }

    deinit { hr_landmarks_model_free(handle) }

    /// Finds the landmarks of a face that dlib's frontal detector found in an upright image.
    ///
    /// Only ``standard`` has the weights for this.
    ///
    /// - Parameters:
    ///   - detection: The face; only its pose and its box, in pixels of `image`, are used.
    ///   - image: The image that shows the face; it may differ from the searched image.
    /// - Returns: Points in pixels of `image`, which may be uncertain (``FaceLandmarks/ifSure``). Nil for a detection
    ///   without a pose, which is not from that detector.
    /// - Throws: ``DetectionError/invalidImage``, including for a box with a mean side of less than a pixel,
    ///   ``DetectionError/failed(reason:)`` for ``near``, or ``DetectionError/outOfMemory``.
    package func landmarks(of detection: Detection, in image: LumaImage) throws(DetectionError) -> FaceLandmarks? {
        guard let pose = detection.pose, let index = Pose.partsOfFrontalDetector.firstIndex(of: pose) else {
            return nil
        }
        let box = detection.box
        var found = hr_landmarks()
        let status = hr_landmarks_find(
            handle,
            image.pixels,
            image.size.width,
            image.size.height,
            image.bytesPerRow,
            Double(box.x) + Double(box.width) / 2,
            Double(box.y) + Double(box.height) / 2,
            Double(box.width + box.height) / 2,
            UInt32(index),
            &found
        )
        guard status == HR_LANDMARKS_OK else { throw DetectionError(status) }
        let points = Self.points(of: found)
        // The confidence is one half at a last step of 0.018, which one face in twenty exceeds.
        let share = found.last_step / 0.018
        return FaceLandmarks(points, confidence: 1 / (1 + share * share))
    }

    /// Finds the landmarks of a face near the landmarks that the network found in an upright image.
    ///
    /// Only ``near`` has the weights for this.
    ///
    /// - Returns: Points in pixels of `image`; nil if the network's landmarks are all in one place or far outside.
    /// - Throws: ``DetectionError``.
    package func landmarks(near rough: FaceLandmarks, in image: LumaImage) throws(DetectionError) -> FaceLandmarks? {
        let start = rough.points.map { hr_landmarks_point(x: $0.x, y: $0.y) }
        var found = hr_landmarks()
        let status = hr_landmarks_find_near(
            handle,
            image.pixels,
            image.size.width,
            image.size.height,
            image.bytesPerRow,
            start,
            &found
        )
        if status == HR_LANDMARKS_INVALID_BOX { return nil }
        guard status == HR_LANDMARKS_OK else { throw DetectionError(status) }
        var landmarks = FaceLandmarks(Self.points(of: found), confidence: 0)
        landmarks.confidence = LandmarkDoubt(landmarks, near: rough, lastStep: found.last_step).confidence
        return landmarks
    }

    private static func points(of found: hr_landmarks) -> [PixelPoint] {
        withUnsafeBytes(of: found.points) { bytes in
            bytes.bindMemory(to: hr_landmarks_point.self).map { PixelPoint(x: $0.x, y: $0.y) }
        }
    }
}

extension DetectionError {
    fileprivate init(_ status: hr_landmarks_status) {
        self =
            switch status {
            case HR_LANDMARKS_INVALID_IMAGE, HR_LANDMARKS_INVALID_BOX: .invalidImage
            case HR_LANDMARKS_OUT_OF_MEMORY: .outOfMemory
            default: .failed(reason: "the landmarks have invalid weights")
            }
    }
}
