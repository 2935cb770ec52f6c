/// The tools of a worker's search: a luma detector and, for some models, a network that searches colours first.
package struct SearchTools {
    /// The network; nil for a model with a detector only.
    package let network: FaceNetwork?
    /// The luma detector.
    ///
    /// If there is a network but no second opinion, this is the network itself with grey input.
    package var detector: any FaceDetector
    /// Whether the detector differs from the network; false without a network.
    ///
    /// The detector's faces count only where the network has a detection with a score of at least
    /// ``FaceNetwork/minSuspicion``.
    package let hasSecondOpinion: Bool

    /// Creates tools without a network.
    init(detector: any FaceDetector) { (network, self.detector, hasSecondOpinion) = (nil, detector, false) }

    /// Creates tools with a network.
    package init(network: FaceNetwork, detector: any FaceDetector, hasSecondOpinion: Bool) {
        (self.network, self.detector, self.hasSecondOpinion) = (network, detector, hasSecondOpinion)
    }
}
