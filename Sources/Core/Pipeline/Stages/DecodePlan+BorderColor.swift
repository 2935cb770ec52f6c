import Framing
import Geometry
import Imaging

extension DecodePlan {
    /// The size of the image in which a chroma key finds the colour of the borders.
    var borderSize: PixelSize { header.size.scaled(by: min(1, 64 / Double(header.size.longSide))) }

    /// The scale of the image for finding the colour of the borders.
    var borderScale: DecodeScale { scale(for: borderSize, from: header.size) }

    /// Memory for another decode that finds the colour of the borders.
    var borderBytes: Int {
        guard job.rendering == .scaling || job.options.placeholder != nil, let key = job.options.key,
            key.color == nil, borderScale != firstScale
        else { return 0 }
        return header.decodedBytes(atScale: borderScale)
    }
}
