import Framing
package import Geometry

extension FrameOptions {
    /// The options for a picture of known size: shapes and sizes that depend on it are resolved.
    ///
    /// - Parameter area: The size of the framed part of the upright picture.
    /// - Returns: Options whose shapes and size no longer depend on the picture.
    package func settled(in area: PixelSize) -> FrameOptions {
        let limits = framing.fit == .limit
        guard limits || resultSize.turnsToImage else { return self }
        var options = self
        options.resultSize = resultSize.settled(in: area, limits: limits)
        if !framing.fit.keepsShape, let width = options.resultSize.width, let height = options.resultSize.height,
            let shape = AspectRatio(ofResult: PixelSize(width: width, height: height))
        {
            options.aspects = [shape]
        }
        return options
    }
}
