/// A kind of detector, loaded once and shared, which makes an instance for every worker.
public struct FaceDetectorModel: Sendable {
    /// The name of the detectors it makes.
    public let name: String
    private let make: @Sendable () throws -> any FaceDetector

    /// A model whose detectors come from `make`, which is called once for every worker, on any thread.
    ///
    /// What is expensive, such as reading weights, belongs before this call, so that workers share it.
    public init(name: String, make: @escaping @Sendable () throws -> any FaceDetector) {
        self.name = name
        self.make = make
    }

    /// Makes a detector for one worker.
    ///
    /// - Throws: ``DetectionError``, or an error of the detector's own.
    public func makeDetector() throws -> any FaceDetector {
        try make()
    }
}

extension FaceDetectorModel {
    /// The frontal face detector to use unless there is a reason for another: dlib's, computed faster.
    ///
    /// It gives dlib's answers at a fraction of the time, where the processor has AVX2 or better. Where it has not, this
    /// is ``dlib``, which is faster there.
    ///
    /// - Throws: ``DetectionError``.
    public static var standard: FaceDetectorModel {
        get throws { try standard(smallestFace: 0) }
    }

    /// ``standard`` for callers who don't care for small faces, and get their answer sooner.
    ///
    /// Most of the time goes into the finest levels of the image pyramid. To look for faces from 160 pixels on takes
    /// a third of the time that faces from 80 pixels on take.
    ///
    /// - Parameter smallestFace: Faces much smaller than this many pixels are passed over, where that saves time. The
    ///   detector's ``FaceDetector/smallestDetectableSide`` tells what came of it.
    /// - Returns: A model whose detectors are named `dlib-hog`.
    /// - Throws: ``DetectionError``.
    public static func standard(smallestFace: Int) throws -> FaceDetectorModel {
        guard HOGDetector.Instructions.best > .plain else { return try dlib }
        let model = try frontal.get()
        return FaceDetectorModel(name: "dlib-hog") {
            try HOGDetector(model: model, name: "dlib-hog", smallestFace: smallestFace)
        }
    }

    private static let frontal = Result { () throws(DetectionError) in try HOGModel.frontal() }

    /// dlib's own frontal face detector, which others are measured against.
    ///
    /// Decoding it takes about 0.2 seconds, the first time in a process.
    ///
    /// - Throws: ``DetectionError``.
    public static var dlib: FaceDetectorModel {
        get throws {
            let model = try dlibFrontal.get()
            return FaceDetectorModel(name: "dlib-hog") { try DlibDetector(model: model, name: "dlib-hog") }
        }
    }

    private static let dlibFrontal = Result { () throws(DetectionError) in try DlibModel.frontal() }

    /// A detector that dlib's trainer saved, such as one for cats: usually a `.svm` file.
    ///
    /// It must be an `object_detector<scan_fhog_pyramid<pyramid_down<6>>>`, which is what `train_simple_object_detector`
    /// of dlib's Python module makes, with one or more sub-detectors. Detections carry no pose.
    ///
    /// - Parameters:
    ///   - path: The file, which is read before this returns.
    ///   - name: What answers and logs call it.
    /// - Returns: A model that makes detectors named `name`.
    /// - Throws: ``DetectionError/unreadableModel(path:reason:)``, ``DetectionError/invalidModel(path:reason:)``.
    public static func file(_ path: String, name: String) throws -> FaceDetectorModel {
        let model = try DlibModel.read(path)
        if HOGDetector.Instructions.best > .plain, let faster = try HOGModel.converted(from: model) {
            return FaceDetectorModel(name: name) { try HOGDetector(model: faster, name: name) }
        }
        return FaceDetectorModel(name: name) { try DlibDetector(model: model, name: name) }
    }
}
