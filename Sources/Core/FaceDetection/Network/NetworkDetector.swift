/// The face network and, for a second opinion, another detector.
///
/// A search runs ``network`` on colours. As a ``FaceDetector``, which searches luma, this type runs the other detector;
/// without another detector, it runs the network on grey planes.
package struct NetworkDetector: FaceDetector {
    package let name: String
    /// The network.
    package let network: FaceNetwork
    /// The detector of the second opinion; nil for none.
    private var other: (any FaceDetector)?

    /// Creates a detector.
    ///
    /// - Parameters:
    ///   - network: The network.
    ///   - other: The detector of the second opinion; nil for none.
    package init(_ network: FaceNetwork, secondOpinion other: (any FaceDetector)? = nil) {
        name = other.map { Self.name(with: $0.name) } ?? FaceNetwork.name
        self.network = network
        self.other = other
    }

    /// Returns the name of the network with another detector.
    static func name(with other: String) -> String { "\(FaceNetwork.name)+\(other)" }

    /// Whether another detector gives a second opinion.
    ///
    /// Its faces count only where the network has a detection with a score of at least ``FaceNetwork/minSuspicion``.
    package var hasSecondOpinion: Bool { other != nil }

    package var smallestDetectableSide: Int { other?.smallestDetectableSide ?? Int(FaceNetwork.smallestFace) * 2 }

    package mutating func detect(in image: LumaImage, threshold: Double) throws -> [Detection] {
        try other?.detect(in: image, threshold: threshold)
            ?? network.detect(red: image, green: image, blue: image, threshold: threshold)
    }
}
