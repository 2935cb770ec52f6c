package import Pipeline

/// The images that a program writes to files, with their plan.
package struct ImageFiles: Sendable {
    /// The images; empty if only the plan was requested.
    package let images: [EncodedImage]
    /// The plan of the images.
    package let plan: FramePlan
    /// The duration of each stage.
    package let times: StageTimes

    /// Whether the detections were known from an earlier search of an image with equal bytes.
    package var usesKnownDetections: Bool { plan.detector?.isKnown ?? false }

    init(_ result: FrameResult) { (images, plan, times) = (result.images, result.plan, result.times) }
}
