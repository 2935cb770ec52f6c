/// A detector's model, loaded once and shared; it creates a detector for each worker.
public struct FaceDetectorModel: Sendable {
    /// The name of the model's detectors.
    public let name: String
    private let make: @Sendable () throws -> any FaceDetector

    /// Creates a model that calls `make` once for each worker, on any thread, to create a detector.
    ///
    /// Do expensive work, such as reading weights, before this call, so that workers share it.
    public init(name: String, make: @escaping @Sendable () throws -> any FaceDetector) {
        self.name = name
        self.make = make
    }

    /// Creates a detector for one worker.
    ///
    /// - Throws: ``DetectionError``, or an error of the implementation.
    public func makeDetector() throws -> any FaceDetector { try make() }
}
