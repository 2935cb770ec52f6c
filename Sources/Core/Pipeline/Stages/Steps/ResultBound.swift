import Geometry

/// The largest result for which a job is admitted.
struct ResultBound {
    /// Its size before its turn; a job whose result has more pixels than ``pixels`` is refused, or shows a smaller
    /// part.
    let size: PixelSize
    /// The most pixels of the result.
    let pixels: Int

    /// The longer side, in pixels.
    var longSide: Int { size.longSide }

    /// The bound of a result.
    ///
    /// - Parameters:
    ///   - size: The size of the largest result, before its turn.
    ///   - maximum: The most pixels that a result may have.
    init(_ size: PixelSize, maximum: Int) {
        self.size = size
        pixels = min(size.area, maximum)
    }
}
