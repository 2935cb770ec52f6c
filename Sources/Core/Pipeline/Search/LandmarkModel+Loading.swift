package import FaceDetection

extension LandmarkModel {
    /// Returns the model with the program's weights.
    ///
    /// - Throws: ``PipelineError/detector(_:)`` if the weights cannot be read.
    package static func loaded() throws(PipelineError) -> LandmarkModel {
        try detecting("landmarks") { try standard.get() }
    }
}
