extension FaceDetectorModel {
    /// Creates the model of a detector saved by dlib's trainer, such as a detector of cats: usually a `.svm` file.
    ///
    /// It must be an `object_detector<scan_fhog_pyramid<pyramid_down<6>>>`, the result of
    /// `train_simple_object_detector` in dlib's Python module, with one or more sub-detectors. Its detections have no
    /// pose.
    ///
    /// - Parameters:
    ///   - path: The file, which is read before the call returns.
    ///   - name: The name in responses and logs.
    /// - Returns: A model whose detectors are named `name`.
    /// - Throws: ``DetectionError/unreadableModel(path:reason:)``, ``DetectionError/invalidModel(path:reason:)``.
    public static func file(_ path: String, name: String) throws -> FaceDetectorModel {
        let model = try DlibModel.read(path)
        if HOGDetector.Instructions.best != .plain, let faster = try HOGModel.converted(from: model) {
            return FaceDetectorModel(name: name) { try HOGDetector(model: faster, name: name) }
        }
        return FaceDetectorModel(name: name) { try DlibDetector(model: model, name: name) }
    }
}
