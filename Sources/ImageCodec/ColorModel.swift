package import Framing

/// What the planes of a picture mean; every sample is one byte.
package enum ColorModel: Hashable, Sendable {
    /// One plane of grey.
    case gray
    /// Red, green and blue.
    case rgb
    /// Luma and two chroma planes, full-range BT.601 as JFIF has it.
    case ycbcr(ChromaSubsampling)

    /// The number of planes, without alpha.
    package var planeCount: Int { self == .gray ? 1 : 3 }

    /// The size of plane `index` of a picture of `size` pixels.
    package func planeSize(_ index: Int, of size: PixelSize) -> PixelSize {
        guard case .ycbcr(let subsampling) = self, index > 0 else { return size }
        return subsampling.chromaSize(of: size)
    }
}

/// How many pixels share a chroma sample.
///
/// Samples sit in the middle of their pixels, as JFIF and MPEG-1 have it.
package struct ChromaSubsampling: Hashable, Sendable {
    /// Pixels across that share a sample, 1 to 4.
    package let horizontal: Int
    /// Pixels down that share a sample, 1 to 4.
    package let vertical: Int

    /// A subsampling of `horizontal` by `vertical` pixels, each 1 to 4.
    package init(horizontal: Int, vertical: Int) {
        precondition((1...4).contains(horizontal) && (1...4).contains(vertical))
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// 4:4:4, a sample for every pixel.
    package static let none = ChromaSubsampling(horizontal: 1, vertical: 1)
    /// 4:2:2, halved across.
    package static let halvedAcross = ChromaSubsampling(horizontal: 2, vertical: 1)
    /// 4:2:0, halved both ways.
    package static let halved = ChromaSubsampling(horizontal: 2, vertical: 2)

    /// The size of the chroma planes of a picture of `size` pixels; a part of a sample at the edge is a whole one.
    package func chromaSize(of size: PixelSize) -> PixelSize {
        PixelSize(
            width: (size.width + horizontal - 1) / horizontal,
            height: (size.height + vertical - 1) / vertical
        )
    }

    /// The same with rows and columns exchanged.
    package var transposed: ChromaSubsampling { ChromaSubsampling(horizontal: vertical, vertical: horizontal) }
}
