import CImageCodec
import Geometry

/// Converts planes of equal size between colour models.
enum ColorConversion {
    /// Converts luma and chroma with a sample for every pixel to red, green and blue.
    static func rgb(fromYCbCr planes: [Plane]) throws(CodecError) -> [Plane] {
        try convert(planes) { hr_ycc_to_rgb($0, $1, $2) }
    }

    /// Converts red, green and blue to luma and chroma with a sample for every pixel.
    static func ycbcr(fromRGB planes: [Plane]) throws(CodecError) -> [Plane] {
        try convert(planes) { hr_rgb_to_ycc($0, $1, $2) }
    }

    private static func convert(
        _ planes: [Plane],
        by function: ([hr_plane], [hr_plane], UnsafeMutablePointer<hr_error>) -> hr_status
    ) throws(CodecError) -> [Plane] {
        var results: [Plane] = []
        for plane in planes {
            results.append(try Plane(unset: plane.size))
        }
        do {
            try check { function(planes.map(\.view), results.map(\.view), $0) }
        } catch {
            throw error.status == HR_NO_MEMORY ? .outOfMemory : .failed(error.message)
        }
        return results
    }
}

extension PlanarImage {
    /// The luma of this picture, transparent pixels over white.
    package func luma() throws(CodecError) -> Plane {
        let opaque = try printed().flattened()
        guard colorModel == .rgb else { return opaque.planes[0] }
        let result = try Plane(unset: size)
        let views = opaque.planes.map(\.view)
        var to = result.view
        hr_luma(views, &to)
        return result
    }

    /// A CMYK picture in RGB without its profile: the product of the light that an ink and black leave; any other picture
    /// itself.
    func printed() throws(CodecError) -> PlanarImage {
        guard colorModel == .cmyk else { return self }
        let light = try planes.prefix(3).map { (ink) throws(CodecError) in try ink.multiplied(by: planes[3]) }
        return PlanarImage(size: size, colorModel: .rgb, planes: light)
    }

    /// This picture over white, without alpha; only grey and RGB pictures have any.
    package func flattened() throws(CodecError) -> PlanarImage {
        guard let alpha else { return self }
        var flat: [Plane] = []
        for plane in planes {
            flat.append(try plane.flattened(by: alpha))
        }
        return PlanarImage(size: size, colorModel: colorModel, planes: flat, iccProfile: iccProfile)
    }
}
