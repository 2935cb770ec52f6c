/// The result of a job.
package struct FrameResult: Codable, Sendable {
    /// The encoded images: none for a plan, one image, or an image of each crop in the order of the plan.
    package var images: [EncodedImage] = []
    /// The faces, the crops and the decisions.
    package var plan: FramePlan
    /// The duration of each stage.
    package var times: StageTimes

    /// The image of a result with exactly one image; otherwise nil.
    package var image: EncodedImage? { images.count == 1 ? images[0] : nil }
}
