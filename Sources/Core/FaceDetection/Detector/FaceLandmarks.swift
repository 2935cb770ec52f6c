package import Geometry
import Glibc

/// The eyes, the nose and the mouth of a face; left and right from the viewer's perspective.
///
/// Points may lie outside the image, if the face extends beyond its edge.
package struct FaceLandmarks: Codable, Sendable, Hashable {
    /// The centres of the eyes; left and right are the viewer's.
    package var leftEye, rightEye: PixelPoint
    /// The tip of the nose.
    package var nose: PixelPoint
    /// The corners of the mouth; left and right are the viewer's.
    package var mouthLeft, mouthRight: PixelPoint
    /// The confidence of the points, from 0 to 1; points below ``minConfidence`` are uncertain.
    package var confidence: Double

    /// The minimum confidence of certain points.
    package static let minConfidence = 0.5

    /// Creates landmarks from five points in the order of the properties.
    package init(_ points: [PixelPoint], confidence: Double = 0) {
        (leftEye, rightEye, nose, mouthLeft, mouthRight) = (points[0], points[1], points[2], points[3], points[4])
        self.confidence = confidence
    }

    /// The landmarks, if they are certain.
    package var ifSure: FaceLandmarks? { confidence >= Self.minConfidence ? self : nil }

    /// The angle of the line from the left to the right eye, in degrees, clockwise positive.
    package var roll: Double { atan2(rightEye.y - leftEye.y, rightEye.x - leftEye.x) * 180 / .pi }

    /// The eye that the rotated head hides completely or nearly; nil if both eyes are visible.
    ///
    /// Along the line through the eyes, the nose is beyond this eye by at least a tenth of the eye distance. The
    /// landmark of this eye is uncertain.
    package var hiddenEye: Eye? {
        let (across, down) = (rightEye.x - leftEye.x, rightEye.y - leftEye.y)
        let square = across * across + down * down
        guard square > 0 else { return nil }
        let share = ((nose.x - leftEye.x) * across + (nose.y - leftEye.y) * down) / square
        if share < -Self.beyond { return .left }
        return share > 1 + Self.beyond ? .right : nil
    }

    /// The minimum distance of the nose beyond a hidden eye, in eye distances.
    private static let beyond = 0.1

    /// One of the eyes; left and right are the viewer's.
    package enum Eye: Sendable {
        case left, right
    }

    /// The five points in the order of the properties.
    package var points: [PixelPoint] { [leftEye, rightEye, nose, mouthLeft, mouthRight] }

    /// Returns the landmarks with each point converted, for example to another size of the image.
    package func mapped(_ convert: (PixelPoint) -> PixelPoint) -> FaceLandmarks {
        FaceLandmarks(points.map(convert), confidence: confidence)
    }

    /// The pose derived from the landmarks: the offset of the nose from the centre of the eyes, or a tilt.
    package var pose: Pose {
        let eyes = rightEye.x - leftEye.x
        let turn = (nose.x - (leftEye.x + rightEye.x) / 2) / max(1, abs(eyes))
        if turn < -0.25 { return .left }
        if turn > 0.25 { return .right }
        if roll < -13 { return .rotatedLeft }
        return roll > 13 ? .rotatedRight : .frontal
    }
}
