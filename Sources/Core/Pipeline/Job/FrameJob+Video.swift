import Imaging

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
