import Geometry

/// The maximum size of a result for an accepted job.
struct ResultBound {
    /// The size of the result before its rotation.
    ///
    /// If a result would have more than ``pixels``, the job is rejected or shows a smaller part.
    let size: PixelSize
    /// The maximum number of pixels of the result.
    let pixels: Int

    /// The longer side, in pixels.
    var longSide: Int { size.longSide }

    /// Creates the bound of a result.
    ///
    /// - Parameters:
    ///   - size: The maximum size of the result, before its rotation.
    ///   - maximum: The maximum number of pixels of a result.
    init(_ size: PixelSize, maximum: Int) {
        self.size = size
        pixels = min(size.area, maximum)
    }
}
