package import Framing
package import Geometry
package import Imaging

/// Everything that was found and decided; all rectangles in pixels of the upright source image.
package struct FramePlan: Codable, Sendable {
    /// The source as its header describes it.
    package struct Source: Codable, Sendable {
        /// The upright size.
        package var size: PixelSize
        /// The encoding.
        package var format: SourceFormat
        /// The EXIF orientation, 1…8.
        package var orientation: Int
    }

    /// One asked shape.
    package struct Crop: Codable, Sendable {
        /// The shape as it was asked for; nil for the image's own.
        package var aspect: AspectRatio?
        /// The crop.
        package var rect: PixelRect
        /// Where the crop would be if the image had no end.
        package var unclamped: PixelRect
        /// The size of the result.
        package var output: PixelSize
        /// The bars beside the crop; nil when it fills the result.
        package var letterbox: Letterbox?
        /// Where the crop lies in the result, in pixels of that; all of it when there are no bars.
        package var picture: PixelRect
        /// What decided.
        package var decision: Decision
        /// What the crop means for each of the plan's faces.
        package var outcomes: [Outcome]
        /// The largest rectangle of the crop that holds nothing of any head; nil when heads cover all of it.
        package var faceFree: PixelRect?

        /// Whether there are bars beside the crop.
        package var hasBars: Bool { picture.size != output }

        /// Crop and bars together, in pixels of the source.
        package var size: PixelSize { letterbox?.size ?? rect.size }
    }

    /// What detection was and cost.
    package struct Detector: Codable, Sendable {
        /// The detector's name.
        package var name: String
        /// How much work was asked for.
        package var accuracy: Accuracy
        /// Every look, in their order.
        package var looks: [DetectionPass]
        /// The time they took together.
        package var duration: Duration
        /// Whether the looks were taken for an earlier job, so that this one did without.
        package var isKnown: Bool
    }

    /// The source image.
    package var source: Source
    /// One entry for each shape asked for.
    package var crops: [Crop]
    /// Largest first.
    package var faces: [Face]
    /// What was found and does not count.
    package var ignored: [IgnoredFace] = []
    /// Nil when the answer did not need faces, so that none were looked for.
    package var detector: Detector?

    /// Whether the first crop holds the whole head of a face.
    package func keeps(_ face: Face) -> Bool { crops.first?.rect.contains(face.head) ?? false }
}
