import UntrustedText
import Framing
import Geometry

/// The value of `aspect`: a list of aspect ratios, or the aspect ratio of the group of heads.
enum ShapeChoice: Sendable {
    /// Aspect ratios, in the requested order; nil means the image's own aspect ratio.
    case list([AspectRatio?])
    /// The aspect ratio of the rectangle around all heads and their padding.
    case faces

    /// Parses `faces`, or aspect ratios separated by commas; nil for other text or too many aspect ratios.
    init?(_ text: String) {
        if text == "faces" {
            self = .faces
        } else if let shapes = text.list(",", atMost: FrameParameters.maxAspects, { AspectRatio(String($0)) }) {
            self = .list(shapes)
        } else {
            return nil
        }
    }
}
