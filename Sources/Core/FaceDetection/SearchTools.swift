/// What a worker searches with: a detector of luma, and for some models a network that searches colours first.
package struct SearchTools {
    /// The network; nil for a model that has a detector alone.
    package let network: FaceNetwork?
    /// The detector of luma.
    ///
    /// Beside a network without a second opinion, the network itself in grey.
    package var detector: any FaceDetector
    /// Whether the detector is another one than the network; false without a network.
    ///
    /// Its faces count only where the network has a detection of ``FaceNetwork/leastSuspicion`` or more.
    package let hasSecondOpinion: Bool

    /// Tools without a network.
    init(detector: any FaceDetector) { (network, self.detector, hasSecondOpinion) = (nil, detector, false) }

    /// Tools with a network.
    package init(network: FaceNetwork, detector: any FaceDetector, hasSecondOpinion: Bool) {
        (self.network, self.detector, self.hasSecondOpinion) = (network, detector, hasSecondOpinion)
    }
}
