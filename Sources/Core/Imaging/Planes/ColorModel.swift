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

    /// A colour as a sample for each plane: luma rounded as in libjpeg, chroma as in JFIF 1.02.
    func samples(red: UInt8, green: UInt8, blue: UInt8) -> [UInt8] {
        let (r, g, b) = (Double(red), Double(green), Double(blue))
        let luma = UInt8((0.299 * r + 0.587 * g + 0.114 * b).rounded())
        switch self {
        case .gray:
            return [luma]
        case .rgb:
            return [red, green, blue]
        case .cmyk:
            return [red, green, blue, 255]
        case .ycbcr:
            // The only value out of range is 255.5, for pure blue and pure red.
            let cb = min(255, (128 - 0.168736 * r - 0.331264 * g + 0.5 * b).rounded())
            let cr = min(255, (128 + 0.5 * r - 0.418688 * g - 0.081312 * b).rounded())
            return [luma, UInt8(cb), UInt8(cr)]
        }
    }
}
