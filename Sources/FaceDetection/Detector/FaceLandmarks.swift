package import Geometry

import Glibc

/// The eyes, the nose and the mouth of a face; left and right as the viewer sees them.
///
/// Points may lie outside the image, if the face reaches over its edge.
package struct FaceLandmarks: Codable, Sendable, Hashable {
    /// The centre of the eye on the viewer's left.
    package var leftEye: PixelPoint
    /// The centre of the eye on the viewer's right.
    package var rightEye: PixelPoint
    /// The tip of the nose.
    package var nose: PixelPoint
    /// The corner of the mouth on the viewer's left.
    package var mouthLeft: PixelPoint
    /// The corner of the mouth on the viewer's right.
    package var mouthRight: PixelPoint
    /// How sure the points are, from 0 to 1; below ``leastSure`` they are a guess.
    package var confidence: Double

    /// The least confidence of points that are more than a guess.
    package static let leastSure = 0.5

    /// Landmarks at these points.
    package init(
        leftEye: PixelPoint,
        rightEye: PixelPoint,
        nose: PixelPoint,
        mouthLeft: PixelPoint,
        mouthRight: PixelPoint,
        confidence: Double
    ) {
        self.leftEye = leftEye
        self.rightEye = rightEye
        self.nose = nose
        self.mouthLeft = mouthLeft
        self.mouthRight = mouthRight
        self.confidence = confidence
    }

    /// The angle of the line from the left to the right eye, in degrees, clockwise positive.
    package var roll: Double {
        atan2(rightEye.y - leftEye.y, rightEye.x - leftEye.x) * 180 / .pi
    }

    /// The five points in the order of the properties.
    package var points: [PixelPoint] { [leftEye, rightEye, nose, mouthLeft, mouthRight] }

    /// The landmarks with each point converted, such as to another size of the image.
    package func mapped(_ convert: (PixelPoint) -> PixelPoint) -> FaceLandmarks {
        FaceLandmarks(
            leftEye: convert(leftEye),
            rightEye: convert(rightEye),
            nose: convert(nose),
            mouthLeft: convert(mouthLeft),
            mouthRight: convert(mouthRight),
            confidence: confidence
        )
    }
}
