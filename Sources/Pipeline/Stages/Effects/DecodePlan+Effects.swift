import Geometry
import Imaging

/// The scales and the memory that effects need.
extension DecodePlan {
    /// The size at which the colour of the borders is found, for a key.
    var borderSize: PixelSize {
        let scale = min(1, 64 / Double(header.size.longSide))
        return PixelSize(
            width: max(1, Int((Double(header.size.width) * scale).rounded())),
            height: max(1, Int((Double(header.size.height) * scale).rounded()))
        )
    }

    /// The scale at which the colour of the borders is found.
    var borderScale: DecodeScale { scale(for: borderSize, from: header.size) }

    /// Memory for another decode that finds the colour of the borders.
    var borderBytes: Int {
        guard job.rendering == .scaling, let key = job.options.key, key.color == nil, borderScale != firstScale else {
            return 0
        }
        return header.decodedBytes(atScale: borderScale)
    }

    /// Memory of the effects, which are applied to one result at a time, and of the picture behind.
    var effectBytes: Int {
        let largest = renderedAspects.map { aspect in
            let size = largestOutput(aspect)
            return size.area <= limits.maxResultPixels ? EffectStage.bytesNeeded(job.options, size) : 0
        }
        return (largest.max() ?? 0) + backdropBytes
    }

    /// Memory of the picture behind, at the scale that covers the longest side of a result.
    private var backdropBytes: Int {
        guard let backdrop else { return 0 }
        let side = renderedAspects.map { largestOutput($0).longSide }.max() ?? 1
        let square = PixelSize(width: side, height: side)
        return backdrop.decodedBytes(atScale: .smallest(of: backdrop, atLeast: square, from: backdrop.size))
    }
}
