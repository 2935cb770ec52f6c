/// A detector with a ``FaceNetwork``, which looks at the colours of a picture before anything else searches it.
package protocol NetworkDetector: FaceDetector {
    /// The network.
    var network: FaceNetwork { get }
    /// Whether ``FaceDetector/detect(in:threshold:)`` is another detector, whose faces count where the network has at least
    /// a suspicion.
    var hasSecondOpinion: Bool { get }
}

/// The network alone.
struct LoneNetwork: NetworkDetector {
    let name = FaceNetwork.name
    let network: FaceNetwork
    let hasSecondOpinion = false

    var smallestDetectableSide: Int { Int(FaceNetwork.smallestFace) * 2 }

    func detect(in image: LumaImage, threshold: Double) throws -> [Detection] {
        try network.detect(red: image, green: image, blue: image, threshold: threshold)
    }
}

/// The network, and HOG as a second opinion.
struct NetworkWithHOG: NetworkDetector {
    let name: String
    let network: FaceNetwork
    let hasSecondOpinion = true
    private var hog: any FaceDetector

    init(_ hog: any FaceDetector) throws(DetectionError) {
        network = try FaceNetwork()
        self.hog = hog
        name = Self.name(with: hog.name)
    }

    static func name(with other: String) -> String { "\(FaceNetwork.name)+\(other)" }

    var smallestDetectableSide: Int { hog.smallestDetectableSide }

    mutating func detect(in image: LumaImage, threshold: Double) throws -> [Detection] {
        try hog.detect(in: image, threshold: threshold)
    }
}

extension FaceDetectorModel {
    /// The default: a small network that looks at the picture's colours, and dlib's HOG detector.
    ///
    /// Built without the trait `YuNet`, it is ``hog``.
    ///
    /// - Throws: ``DetectionError``.
    public static var standard: FaceDetectorModel {
        get throws {
            let hog = try hog
            #if YuNet
            let name = NetworkWithHOG.name(with: hog.name)
            return FaceDetectorModel(name: name) { try NetworkWithHOG(hog.makeDetector()) }
            #else
            return hog
            #endif
        }
    }

    #if YuNet
    /// The network alone.
    public static var network: FaceDetectorModel {
        FaceDetectorModel(name: FaceNetwork.name) { LoneNetwork(network: try FaceNetwork()) }
    }
    #endif
}
