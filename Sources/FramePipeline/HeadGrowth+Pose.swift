import FaceDetection
import Framing

/// How dlib's boxes relate to the faces and heads that people draw, fitted for each of its five sub-detectors on 536 faces
/// (medians; `docs/framing.md` has the spread).
extension HeadGrowth {
    /// From the detector's box to the face between hairline and chin.
    static func face(_ pose: Pose?) -> HeadGrowth {
        switch pose {
        case .frontal: HeadGrowth(above: 0.20, below: 0.04, left: 0, right: 0)
        case .left: HeadGrowth(above: 0.10, below: 0.07, left: -0.10, right: 0.05)
        case .right: HeadGrowth(above: 0.11, below: 0.07, left: 0.03, right: -0.10)
        case .rotatedLeft: HeadGrowth(above: 0.16, below: 0, left: 0.02, right: -0.08)
        case .rotatedRight: HeadGrowth(above: 0.20, below: 0.02, left: -0.08, right: 0.03)
        case nil: HeadGrowth(above: 0.19, below: 0.05, left: 0, right: 0)
        }
    }

    /// From the detector's box to the head with its hair.
    static func head(_ pose: Pose?) -> HeadGrowth {
        switch pose {
        case .frontal: HeadGrowth(above: 0.77, below: 0.04, left: 0.14, right: 0.14)
        case .left: HeadGrowth(above: 0.62, below: 0.07, left: 0.04, right: 0.18)
        case .right: HeadGrowth(above: 0.64, below: 0.07, left: 0.18, right: 0.04)
        case .rotatedLeft: HeadGrowth(above: 0.67, below: 0, left: 0.15, right: 0.05)
        case .rotatedRight: HeadGrowth(above: 0.74, below: 0.02, left: 0.06, right: 0.17)
        case nil: HeadGrowth(above: 0.74, below: 0.05, left: 0.14, right: 0.14)
        }
    }
}
