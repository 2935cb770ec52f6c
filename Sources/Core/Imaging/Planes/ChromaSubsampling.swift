package import Geometry

/// The number of pixels that share a chroma sample.
///
/// Samples are centred on their pixels, as in JFIF and MPEG-1.
package struct ChromaSubsampling: Hashable, Sendable {
    /// Pixels across that share a sample, 1 to 4.
    package let horizontal: Int
    /// Pixels down that share a sample, 1 to 4.
    package let vertical: Int

    /// A subsampling of `horizontal` by `vertical` pixels, each 1 to 4; traps for other numbers.
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

    /// The size of the chroma planes of an image of `size` pixels, rounded up.
    package func chromaSize(of size: PixelSize) -> PixelSize {
        PixelSize(width: (size.width + horizontal - 1) / horizontal, height: (size.height + vertical - 1) / vertical)
    }

    /// The subsampling with rows and columns exchanged.
    package var transposed: ChromaSubsampling { ChromaSubsampling(horizontal: vertical, vertical: horizontal) }
}
