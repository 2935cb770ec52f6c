/// A detector's model, loaded once and shared; it creates a detector for each worker.
public struct FaceDetectorModel: Sendable {
    /// The name of the model's detectors.
    public let name: String
    private let make: @Sendable () throws -> SearchTools

    /// Creates a model that calls `make` once for each worker, on any thread, to create a detector.
    ///
    /// Do expensive work, such as reading weights, before this call, so that workers share it.
    public init(name: String, make: @escaping @Sendable () throws -> any FaceDetector) {
        self.init(name: name, tools: { SearchTools(detector: try make()) })
    }

    /// Creates a model that calls `make` once for each worker, on any thread, to create its tools.
    package init(name: String, tools make: @escaping @Sendable () throws -> SearchTools) {
        self.name = name
        self.make = make
    }

    /// Creates a detector for one worker.
    ///
    /// - Throws: ``DetectionError``, or an error of the implementation.
    public func makeDetector() throws -> any FaceDetector { try make().detector }

    /// Creates the detector and, if the model has a network, the network for one worker.
    ///
    /// - Throws: ``DetectionError``, or an error of the implementation.
    package func makeTools() throws -> SearchTools { try make() }
}

extension FaceDetectorModel {
    /// dlib's frontal face detector, computed faster.
    ///
    /// On x86-64 processors with SSE4.1 and on arm64, it gives the same results as dlib in a fraction of the time. On
    /// other processors, this is ``dlib``, which is faster there.
    ///
    /// - Throws: ``DetectionError``.
    public static var hog: FaceDetectorModel { get throws { try hog(smallestFace: 0) } }

    /// Creates the ``hog`` detector without small faces, which takes less time.
    ///
    /// Most of the time is spent on the finest levels of the image pyramid. Detecting faces of at least 160 pixels
    /// takes a third of the time of detecting faces of at least 80 pixels.
    ///
    /// - Parameter smallestFace: Faces much smaller than this many pixels are skipped if that saves time. The
    ///   resulting size is the detector's ``FaceDetector/smallestDetectableSide``.
    /// - Returns: A model whose detectors are named `dlib-hog`.
    /// - Throws: ``DetectionError``.
    public static func hog(smallestFace: Int) throws -> FaceDetectorModel {
        guard HOGDetector.Instructions.best != .plain else { return try dlib }
        let model = try frontal.get()
        return FaceDetectorModel(name: "dlib-hog") {
            try HOGDetector(model: model, name: "dlib-hog", smallestFace: smallestFace)
        }
    }

    private static let frontal = Result { () throws(DetectionError) in try HOGModel.frontal() }

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
