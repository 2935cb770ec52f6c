/// The result of a job so far, which each ``FrameStage`` continues.
struct FrameDraft {
    /// The plan of the crops.
    var plan: FramePlan
    /// The inputs of the steps, for stages that make images; nil after ``ImageStage``.
    var inputs: StepInputs?
    /// The images of the crops; empty before ``ImageStage``, and for a job that makes no images.
    var images: [EncodedImage] = []
}
