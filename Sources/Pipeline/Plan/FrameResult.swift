/// What a job gives back.
package struct FrameResult: Codable, Sendable {
    /// The encoded result; nil when only the plan was asked for, or all images.
    package var image: EncodedImage?
    /// One image for each of the plan's crops, when all of them were asked for.
    package var images: [EncodedImage] = []
    /// What was found and decided.
    package var plan: FramePlan
    /// How long each stage took.
    package var times: StageTimes
}
