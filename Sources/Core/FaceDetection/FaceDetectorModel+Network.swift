/// A detector for a second opinion; its name is prefixed with the network's name.
private struct SecondOpinion: FaceDetector {
    let name: String
    private var detector: any FaceDetector

    init(_ detector: any FaceDetector) {
        self.detector = detector
        name = Self.name(with: detector.name)
    }

    static func name(with other: String) -> String { "\(FaceNetwork.name)+\(other)" }

    var smallestDetectableSide: Int { detector.smallestDetectableSide }

    mutating func detect(in image: LumaImage, threshold: Double) throws -> [Detection] {
        try detector.detect(in: image, threshold: threshold)
    }
}

extension FaceDetectorModel {
    /// The default: a small network that searches the image's colours, and dlib's HOG detector.
    ///
    /// Without the trait `YuNet`, it is ``hog``.
    ///
    /// - Throws: ``DetectionError``.
    public static var standard: FaceDetectorModel {
        get throws {
            let hog = try hog
            #if YuNet
            return FaceDetectorModel(
                name: SecondOpinion.name(with: hog.name),
                tools: {
                    let detector = SecondOpinion(try hog.makeDetector())
                    return SearchTools(network: try FaceNetwork(), detector: detector, hasSecondOpinion: true)
                }
            )
            #else
            return hog
            #endif
        }
    }

    #if YuNet
    /// The network only.
    public static var network: FaceDetectorModel {
        FaceDetectorModel(
            name: FaceNetwork.name,
            tools: {
                let network = try FaceNetwork()
                return SearchTools(network: network, detector: GreyNetwork(network: network), hasSecondOpinion: false)
            }
        )
    }
    #endif
}
