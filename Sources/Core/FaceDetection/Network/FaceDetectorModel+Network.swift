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
            return FaceDetectorModel(name: NetworkDetector.name(with: hog.name)) {
                NetworkDetector(try FaceNetwork(), secondOpinion: try hog.makeDetector())
            }
            #else
            return hog
            #endif
        }
    }

    #if YuNet
    /// The network only.
    public static var network: FaceDetectorModel {
        FaceDetectorModel(name: FaceNetwork.name) { NetworkDetector(try FaceNetwork()) }
    }
    #endif
}
