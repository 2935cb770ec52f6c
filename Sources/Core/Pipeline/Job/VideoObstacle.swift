package import Geometry
package import Imaging

/// The reason why a source has no frames for a video.
package enum VideoObstacle: Hashable, Codable, Sendable {
    /// The source is a still image.
    case still(InputFormat)
    /// The animation has more frames than the limit.
    case tooManyFrames(Int, limit: Int)
    /// All frames together have more pixels than the limit, before or after scaling.
    case tooManyPixels(Int, limit: Int)
    /// The frames have more pixels than the search for heads may read.
    case tooManySearchedPixels(limit: Int)
    /// The output is smaller than the smallest video.
    case tooSmall(PixelSize)
}

extension FrameJob {
    /// Returns the reason why a source with this header has no frames for the requested video; nil if it has, and if the
    /// job does not make frames of a video.
    func videoObstacle(_ header: ImageHeader, limits: PipelineLimits) -> VideoObstacle? {
        guard target.product.output?.isForVideo == true, animation(of: header, limits: limits) == nil else {
            return nil
        }
        guard let animation = header.animation, options.animation == .auto else { return .still(header.format) }
        return animation.frames > limits.maxFrames
            ? .tooManyFrames(animation.frames, limit: limits.maxFrames)
            : .tooManyPixels(animation.pixels, limit: limits.maxAnimationPixels)
    }
}
