import Geometry
import Imaging

extension DecodeScale {
    /// The smallest scale at which `region` of the source has at least `size`.
    ///
    /// - Parameters:
    ///   - header: The source's.
    ///   - size: The pixels that are needed.
    ///   - region: The part of the source that they show, in its pixels.
    /// - Returns: One of the scales that are worth having; the whole for anything but JPEG.
    static func smallest(of header: ImageHeader, atLeast size: PixelSize, from region: PixelSize) -> DecodeScale {
        guard header.format == .jpeg else { return .full }
        let across = Double(size.width) / Double(region.width)
        let down = Double(size.height) / Double(region.height)
        return fast(atLeast: max(across, down))
    }
}
