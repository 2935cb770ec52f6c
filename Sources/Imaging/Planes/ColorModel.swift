package import Geometry

/// The meaning of a picture's planes; every sample is one byte.
package enum ColorModel: Hashable, Sendable {
    /// One plane of grey.
    case gray
    /// Red, green and blue.
    case rgb
    /// Luma and two chroma planes, full-range BT.601 as in JFIF.
    case ycbcr(ChromaSubsampling)

    /// The number of planes, without alpha.
    package var planeCount: Int { self == .gray ? 1 : 3 }

    /// The size of plane `index` of a picture of `size` pixels.
    package func planeSize(_ index: Int, of size: PixelSize) -> PixelSize {
        guard case .ycbcr(let subsampling) = self, index > 0 else { return size }
        return subsampling.chromaSize(of: size)
    }
}
