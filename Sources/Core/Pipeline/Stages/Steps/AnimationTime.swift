import Framing
import Imaging

/// The crop and the time of one image of a result; a still result has one image, an animation has one for each frame.
struct AnimationTime {
    /// The crop of the frame.
    let crop: FramePlan.Crop
    /// The format of the result.
    let format: OutputFormat
    /// The colour model in which the background is added to the crop.
    let model: ColorModel
    /// The time since the first frame, in milliseconds.
    var time = 0
    /// The frame of an animated source, counted from 0; nil for a still source.
    var frame: Int?

    /// Returns the same crop at another time of a still source, in milliseconds.
    func at(_ time: Int) -> AnimationTime {
        var moment = self
        moment.time = time
        return moment
    }
}
