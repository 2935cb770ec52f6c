package import FaceDetection
package import Framing

/// The relation of dlib's boxes to annotated faces and heads, fitted for each of its five sub-detectors on 561 faces;
/// see `docs/contributing/framing-research.md`.
extension HeadGrowth {
    /// Returns the growth from the detector's box to the face between hairline and chin.
    package static func face(_ pose: Pose?) -> HeadGrowth {
        switch pose {
        case .frontal: HeadGrowth(above: 0.22, below: 0.03, left: -0.01, right: -0.03)
        case .left: HeadGrowth(above: 0.10, below: 0.05, left: -0.16, right: 0.07)
        case .right: HeadGrowth(above: 0.10, below: 0.07, left: 0.07, right: -0.13)
        case .rotatedLeft: HeadGrowth(above: 0.17, below: -0.03, left: 0.07, right: -0.11)
        case .rotatedRight: HeadGrowth(above: 0.23, below: 0.01, left: -0.11, right: 0.05)
        case nil: HeadGrowth(above: 0.19, below: 0.04, left: -0.02, right: -0.02)
        }
    }

    /// Returns the growth from the detector's box to the head with its hair.
    package static func head(_ pose: Pose?) -> HeadGrowth {
        switch pose {
        case .frontal: HeadGrowth(above: 0.79, below: 0.03, left: 0.14, right: 0.11)
        case .left: HeadGrowth(above: 0.61, below: 0.05, left: -0.02, right: 0.21)
        case .right: HeadGrowth(above: 0.64, below: 0.07, left: 0.22, right: 0.01)
        case .rotatedLeft: HeadGrowth(above: 0.69, below: -0.03, left: 0.21, right: 0.04)
        case .rotatedRight: HeadGrowth(above: 0.79, below: 0.01, left: 0.03, right: 0.19)
        case nil: HeadGrowth(above: 0.74, below: 0.04, left: 0.13, right: 0.13)
        }
    }

    /// The growth from the network's box to the face between hairline and chin; the two nearly coincide.
    static let networkFace = HeadGrowth(above: 0.004, below: 0.004, left: 0.027, right: 0.009)

    /// The growth from the network's box to the head with its hair: medians over the corpus.
    static let networkHead = HeadGrowth(above: 0.46, below: 0.005, left: 0.18, right: 0.16)

    /// Returns the mean growth of several poses, weighted by their fractions; if there are none, the growth of an
    /// unknown pose.
    static func mean(of shares: [Pose: Double], _ growth: (Pose?) -> HeadGrowth) -> HeadGrowth {
        var sum = HeadGrowth(above: 0, below: 0, left: 0, right: 0)
        var weight = 0.0
        for pose in Pose.allCases {
            guard let share = shares[pose], share > 0 else { continue }
            let one = growth(pose)
            sum.above += share * one.above
            sum.below += share * one.below
            sum.left += share * one.left
            sum.right += share * one.right
            weight += share
        }
        guard weight > 0 else { return growth(nil) }
        return HeadGrowth(
            above: sum.above / weight,
            below: sum.below / weight,
            left: sum.left / weight,
            right: sum.right / weight
        )
    }
}
