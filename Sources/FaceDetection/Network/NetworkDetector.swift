internal import CFaceNet
internal import CHOGDetector

/// A detector with a ``FaceNetwork``, which searches the colours of a picture first.
package protocol NetworkDetector: FaceDetector {
    var network: FaceNetwork { get }
    /// Whether ``FaceDetector/detect(in:threshold:)`` runs another detector, whose faces count only where the network
    /// has a detection of ``FaceNetwork/leastSuspicion`` or more.
    var hasSecondOpinion: Bool { get }
}
