package import Geometry

/// The meaning of a picture's planes; every sample is one byte.
package enum ColorModel: Hashable, Sendable {
    case gray
    case rgb
    /// Luma and two chroma planes, full-range BT.601 as in JFIF.
    case ycbcr(ChromaSubsampling)
    /// Cyan, magenta, yellow and black, where 255 is no ink.
    case cmyk

    /// The number of planes, without alpha.
    package var planeCount: Int {
        switch self {
        case .gray: 1
        case .rgb, .ycbcr: 3
        case .cmyk: 4
        }
    }

    /// The size of plane `index` of a picture of `size` pixels.
    func planeSize(_ index: Int, of size: PixelSize) -> PixelSize {
        subsampling(ofPlane: index).chromaSize(of: size)
    }

    /// The pixels that share a sample of plane `index`.
    func subsampling(ofPlane index: Int) -> ChromaSubsampling {
        if case .ycbcr(let subsampling) = self, index > 0 { subsampling } else { .none }
    }
}

/// The number of pixels that share a chroma sample.
///
/// Samples are centred on their pixels, as in JFIF and MPEG-1.
package struct ChromaSubsampling: Hashable, Sendable {
    /// Pixels across that share a sample, 1 to 4.
    package let horizontal: Int
    /// Pixels down that share a sample, 1 to 4.
    package let vertical: Int

    package init(horizontal: Int, vertical: Int) {
        precondition((1...4).contains(horizontal) && (1...4).contains(vertical))
        self.horizontal = horizontal
        self.vertical = vertical
    }

    package static let none = ChromaSubsampling(horizontal: 1, vertical: 1)
    /// 4:2:2, halved across.
    package static let halvedAcross = ChromaSubsampling(horizontal: 2, vertical: 1)
    /// 4:2:0, halved both ways.
    package static let halved = ChromaSubsampling(horizontal: 2, vertical: 2)

    /// The size of the chroma planes of a picture of `size` pixels, rounded up.
    package func chromaSize(of size: PixelSize) -> PixelSize {
        PixelSize(width: (size.width + horizontal - 1) / horizontal, height: (size.height + vertical - 1) / vertical)
    }

    /// The subsampling with rows and columns exchanged.
    package var transposed: ChromaSubsampling { ChromaSubsampling(horizontal: vertical, vertical: horizontal) }
}

/// The colour space of a picture's samples as code points of ITU-T H.273, as in `nclx` boxes and PNG's `cICP`.
///
/// It is used where a file has no ICC profile. Decoded planes are always full range, and YCbCr planes always BT.601;
/// `matrix` and `isFullRange` describe the file.
package struct ColorDescription: Hashable, Sendable {
    /// ColourPrimaries: 1 is BT.709 and sRGB, 9 BT.2020, 12 Display P3, 2 unspecified.
    package var primaries: UInt16
    /// TransferCharacteristics: 13 is sRGB, 1 BT.709, 8 linear, 16 PQ, 18 HLG, 2 unspecified.
    package var transfer: UInt16
    /// MatrixCoefficients: 0 is RGB, 1 BT.709, 5 and 6 BT.601, 9 BT.2020, 2 unspecified.
    package var matrix: UInt16
    /// Whether the file's samples use the whole range of their depth.
    package var isFullRange: Bool

    package init(primaries: UInt16, transfer: UInt16, matrix: UInt16 = 0, isFullRange: Bool = true) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }

    /// Whether the transfer characteristics are PQ or HLG.
    var isHDR: Bool { transfer == 16 || transfer == 18 }

    /// sRGB, IEC 61966-2-1.
    package static let sRGB = ColorDescription(primaries: 1, transfer: 13)
}
