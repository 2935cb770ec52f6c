package import Geometry

/// A crop and the reason for its position.
package struct Frame: Hashable, Sendable {
    /// The crop in pixels of the upright image.
    package var crop: PixelRect
    /// The crop before it is clamped to the image.
    ///
    /// It may extend over the image's edges. It has the same size, except for a portrait of one face, which the image may
    /// truncate.
    package var unclamped: PixelRect
    /// The rule that determined the crop.
    package var decision: Decision
    /// Whether the whole head is inside the crop, for each subject in the given order.
    package var kept: [Bool]
    /// The outcome for each subject, in the given order.
    package var outcomes: [Outcome]
    /// The bars that produce the requested shape; nil if the crop has it.
    package var letterbox: Letterbox?
    /// The smallest rectangle around the kept heads and focal areas that determined the crop; nil if there are none.
    package var subjectArea: PixelRect?
}
