package import FaceDetection

/// A detector that is part of the program, with its name in settings.
package struct BuiltInDetector: Sendable, Equatable {
    /// The name in settings, such as `yunet+hog`; responses contain the name of the model.
    package let name: String
    /// The description in help texts; nil for none.
    package let summary: String?
    private let load: @Sendable () throws -> FaceDetectorModel

    /// All built-in detectors, the default first.
    package static let all =
        networks + [
            BuiltInDetector("hog", "Headroom's version of dlib's detector") { try .hog },
            BuiltInDetector("dlib", "dlib's own code, slower") { try .dlib },
        ]

    /// The detectors with a network; empty without the traits of the networks.
    private static var networks: [BuiltInDetector] {
        #if YuNet
        [BuiltInDetector("yunet+hog") { try .standard }, BuiltInDetector("yunet", "neural network") { .network }]
        #else
        []
        #endif
    }

    private init(
        _ name: String,
        _ summary: String? = nil,
        load: @escaping @Sendable () throws -> FaceDetectorModel
    ) {
        (self.name, self.summary, self.load) = (name, summary, load)
    }

    /// Loads the model.
    ///
    /// - Throws: ``DetectionError``.
    package func model() throws -> FaceDetectorModel { try load() }

    package static func == (left: BuiltInDetector, right: BuiltInDetector) -> Bool { left.name == right.name }
}
