import Geometry
import Imaging

extension DecodeScale {
    /// The smallest scale at which `region` of the source has at least `size` pixels.
    ///
    /// - Parameters:
    ///   - header: The header of the source.
    ///   - size: The required size, in pixels.
    ///   - region: The size of the region, in pixels of the source at full scale.
    /// - Returns: One of the fast scales of a JPEG; full scale for other formats.
    static func smallest(of header: ImageHeader, atLeast size: PixelSize, from region: PixelSize) -> DecodeScale {
        guard header.format == .jpeg else { return .full }
        let across = Double(size.width) / Double(region.width)
        let down = Double(size.height) / Double(region.height)
        return fast(atLeast: max(across, down))
    }
}
