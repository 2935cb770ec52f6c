import FaceDetection
import Foundation
import Geometry
import Testing

/// The detection of an eye that is hidden because the head is turned.
@Suite struct HiddenEyeTests {
    /// Landmarks with the nose at a fraction of the distance from the left eye to the right eye, rotated around the
    /// left eye.
    private func landmarks(nose share: Double, turnedBy degrees: Double) -> FaceLandmarks {
        let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        let upright = [(0, 0), (40, 0), (40 * share, 30), (8, 50), (32, 50)] as [(Double, Double)]
        return FaceLandmarks(
            upright.map { PixelPoint(x: 100 + $0.0 * cosine - $0.1 * sine, y: 80 + $0.0 * sine + $0.1 * cosine) }
        )
    }

    @Test(
        arguments: [
            (0.5, nil), (0, nil), (-0.09, nil), (-0.11, .left), (-2, .left), (1, nil), (1.09, nil), (1.11, .right),
        ] as [(Double, FaceLandmarks.Eye?)],
        [0, 35, -90, 180] as [Double]
    )
    func `the eye that the tip of the nose covers is hidden`(
        example: (share: Double, eye: FaceLandmarks.Eye?),
        turn: Double
    ) {
        #expect(landmarks(nose: example.share, turnedBy: turn).hiddenEye == example.eye)
    }

    @Test func `if both eyes are at the same position, neither is hidden`() {
        #expect(FaceLandmarks(Array(repeating: PixelPoint(x: 3, y: 4), count: 5)).hiddenEye == nil)
    }
}
