package import Geometry

/// A decoded picture: a plane for each colour component, and optionally one for alpha.
package struct PlanarImage: Sendable {
    /// Width and height of the picture; subsampled planes are smaller.
    package let size: PixelSize
    /// The meaning of the planes.
    package let colorModel: ColorModel
    /// Grey; red, green and blue; luma, blue and red chroma; or cyan, magenta, yellow and black.
    package let planes: [Plane]
    /// Straight alpha, 255 is opaque; nil if every pixel is opaque.
    package let alpha: Plane?
    /// The ICC profile of the pixel values, which are not converted.
    package let iccProfile: ICCProfile?
    /// Whether a part of the picture was lost when it was decoded.
    package var isDamaged = false

    /// A picture of planes whose sizes match `colorModel`.
    package init(
        size: PixelSize,
        colorModel: ColorModel,
        planes: [Plane],
        alpha: Plane? = nil,
        iccProfile: ICCProfile? = nil
    ) {
        precondition(planes.count == colorModel.planeCount, "a plane for each component")
        for (index, plane) in planes.enumerated() {
            precondition(plane.size == colorModel.planeSize(index, of: size), "planes fit the picture")
        }
        precondition(alpha.map { $0.size == size } ?? true, "alpha fits the picture")
        self.size = size
        self.colorModel = colorModel
        self.planes = planes
        self.alpha = alpha
        self.iccProfile = iccProfile.flatMap { $0.describes(colorModel) ? $0 : nil }
    }
}
