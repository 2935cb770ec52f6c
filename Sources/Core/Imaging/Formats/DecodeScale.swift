package import Geometry

/// The scale of a decoded image, in eighths; the JPEG transform can scale at no cost.
package struct DecodeScale: Hashable, Sendable, Comparable {
    /// 1 to 8.
    package let eighths: Int

    /// A scale of 1 to 8 `eighths`; traps for other numbers.
    package init(eighths: Int) {
        precondition((1...8).contains(eighths), "1 to 8 eighths")
        self.eighths = eighths
    }

    package static let full = DecodeScale(eighths: 8)

    /// The smallest scale of at least `factor` that decodes fast; ``full`` if no such scale exists.
    ///
    /// libjpeg-turbo has vector code only for 1, 2, 4 and 8 eighths. A baseline JPEG of 12 megapixels took 15, 17, 19
    /// and 20 ms at these scales, but 21, 32, 38 and 46 ms at 3, 5, 6 and 7 eighths.
    package static func fast(atLeast factor: Double) -> DecodeScale {
        [1, 2, 4].first { Double($0) / 8 >= factor }.map(DecodeScale.init) ?? .full
    }

    package static func < (first: DecodeScale, second: DecodeScale) -> Bool { first.eighths < second.eighths }

    /// The length of a side of `length` pixels at this scale, rounded up.
    package func scaled(_ length: Int) -> Int { (length * eighths + 7) / 8 }

    /// Returns the smallest scale that gives a region of the source at least `size` pixels.
    ///
    /// `region` is the size of the region at full scale. A JPEG has several fast scales; other formats use full scale.
    package static func smallest(of header: ImageHeader, atLeast size: PixelSize, from region: PixelSize) -> DecodeScale
    {
        guard header.format == .jpeg else { return .full }
        let across = Double(size.width) / Double(region.width)
        let down = Double(size.height) / Double(region.height)
        return fast(atLeast: max(across, down))
    }
}
