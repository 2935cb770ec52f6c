import CImageCodec
import Geometry

extension Resampler {
    /// Scales a region of a plane of samples of two bytes; a row has twice as many bytes as samples.
    ///
    /// - Parameters:
    ///   - plane: A plane whose width counts bytes.
    ///   - depth: Bits of a sample, 9 to 16.
    ///   - region: A region in samples; mirrored outside of the plane.
    ///   - size: The size of the result in samples, at least 1 by 1.
    /// - Returns: A plane whose width counts bytes.
    /// - Throws: ``CodecError/outOfMemory`` or ``CodecError/failed(_:)``.
    static func resample(
        wide plane: Plane,
        depth: Int,
        region: FractionalRect,
        to size: PixelSize
    ) throws(CodecError)
        -> Plane
    {
        if let rect = region.wholePixels, rect.size == size {
            let bytes = PixelRect(x: 2 * rect.x, y: rect.y, width: 2 * rect.width, height: rect.height)
            if PixelRect(plane.size).contains(bytes) { return plane.cropped(to: bytes) }
        }
        guard [region.x, region.y, region.width, region.height].allSatisfy({ abs($0) < 0x1p31 }), region.width > 0,
            region.height > 0
        else { throw .failed("invalid region: \(region)") }
        let result = try Plane(unset: PixelSize(width: 2 * size.width, height: size.height))
        let isSmaller = region.width > Double(size.width) || region.height > Double(size.height)
        var (from, to) = (plane.view, result.view)
        from.width /= 2
        to.width /= 2
        do {
            try check {
                hr_resample_wide(
                    &from,
                    &to,
                    Int32(depth),
                    hr_region(x: region.x, y: region.y, width: region.width, height: region.height),
                    isSmaller ? HR_FILTER_LANCZOS : HR_FILTER_BICUBIC,
                    $0
                )
            }
        } catch {
            throw error.status == HR_NO_MEMORY ? .outOfMemory : .failed(error.message)
        }
        return result
    }
}
