/// The result of a job.
package struct FrameResult: Codable, Sendable {
    /// The encoded image; nil for a plan, or for a result with several images.
    package var image: EncodedImage?
    /// The image of each crop, in the order of the plan; empty for a plan, or for a result with one image.
    package var images: [EncodedImage] = []
    /// The faces, the crops and the decisions.
    package var plan: FramePlan
    /// The duration of each stage.
    package var times: StageTimes
}
