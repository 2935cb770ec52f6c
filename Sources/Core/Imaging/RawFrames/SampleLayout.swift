package import Geometry

/// The planes of the frames of a raw video.
package struct SampleLayout: Hashable, Sendable {
    /// The number of pixels that share a chroma sample; nil if there is only luma.
    package let subsampling: ChromaSubsampling?
    /// Bits of a sample, 8 to 16; above 8, a sample has two bytes, the lower one first.
    package let depth: Int
    /// Whether chroma samples are aligned with the left of the pixels that share them, instead of their centre.
    package let isLeft: Bool
    /// Whether chroma samples are aligned with the upper of the pixels that share them, instead of their centre.
    package let isTop: Bool

    /// Planes of luma and, unless `subsampling` is nil, of blue and red chroma.
    ///
    /// - Parameters:
    ///   - subsampling: The number of pixels that share a chroma sample; nil for only luma.
    ///   - depth: Bits of a sample, 8 to 16; above 8 a sample has two bytes, the lower one first.
    ///   - isLeft: Whether chroma is aligned with the left of the pixels that share it, instead of their centre.
    ///   - isTop: Whether chroma is aligned with the upper of the pixels that share it, instead of their centre.
    package init(subsampling: ChromaSubsampling?, depth: Int = 8, isLeft: Bool = false, isTop: Bool = false) {
        self.subsampling = subsampling
        self.depth = depth
        self.isLeft = isLeft
        self.isTop = isTop
    }

    /// Bytes of a sample, 1 or 2.
    package var sampleBytes: Int { depth > 8 ? 2 : 1 }

    /// The sizes of the planes of a frame, luma first, in samples.
    package func planeSizes(of size: PixelSize) -> [PixelSize] {
        guard let subsampling else { return [size] }
        let chroma = subsampling.chromaSize(of: size)
        return [size, chroma, chroma]
    }

    /// The bytes of a frame, without a gap between rows and planes.
    package func bytes(of size: PixelSize) -> Int {
        planeSizes(of: size).reduce(0) { $0 + $1.area * sampleBytes }
    }

    /// Returns the size nearest to a width and a height in pixels whose sides are multiples of the subsampling.
    ///
    /// Each side has at least one chroma sample and is at most the side of `size`, which may be odd.
    package func evenSize(_ width: Double, _ height: Double, in size: PixelSize) -> PixelSize {
        func even(_ length: Double, _ step: Int, _ maximum: Int) -> Int {
            let nearest = Int((length / Double(step)).rounded()) * step
            let fitting = nearest > maximum ? maximum - maximum % step : nearest
            return min(maximum, max(step, fitting))
        }
        return PixelSize(
            width: even(width, subsampling?.horizontal ?? 1, size.width),
            height: even(height, subsampling?.vertical ?? 1, size.height)
        )
    }
}
