extension FaceDetectorModel {
    /// dlib's own frontal face detector, the reference for other implementations.
    ///
    /// Decoding it takes about 0.2 seconds, once per process.
    ///
    /// - Throws: ``DetectionError``.
    public static var dlib: FaceDetectorModel {
        get throws {
            let model = try dlibFrontal.get()
            return FaceDetectorModel(name: "dlib-hog") { try DlibDetector(model: model, name: "dlib-hog") }
        }
    }

    private static let dlibFrontal = Result { () throws(DetectionError) in try DlibModel.frontal() }
}
