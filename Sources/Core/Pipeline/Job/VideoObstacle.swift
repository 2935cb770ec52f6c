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
