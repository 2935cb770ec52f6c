import Geometry

/// The meaning of an image's planes; every sample is one byte.
package enum ColorModel: Hashable, Sendable {
    case gray
    case rgb
    /// Luma and two chroma planes, full-range BT.601 as in JFIF.
    case ycbcr(ChromaSubsampling)
    /// Cyan, magenta, yellow and black; 255 means without ink.
    case cmyk

    /// The number of planes, without alpha.
    package var planeCount: Int {
        switch self {
        case .gray: 1
        case .rgb, .ycbcr: 3
        case .cmyk: 4
        }
    }

    /// The size of plane `index` of an image of `size` pixels.
    func planeSize(_ index: Int, of size: PixelSize) -> PixelSize {
        subsampling(ofPlane: index).chromaSize(of: size)
    }

    /// The pixels that share a sample of plane `index`.
    func subsampling(ofPlane index: Int) -> ChromaSubsampling {
        if case .ycbcr(let subsampling) = self, index > 0 { subsampling } else { .none }
    }
}
