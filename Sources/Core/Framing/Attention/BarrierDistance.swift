import Geometry

/// The minimum barrier distance of each pixel of a small image to the image's border.
///
/// Each path to the border has a range of values, and the distance is the smallest of these ranges. Background that
/// reaches the border has a small distance, regardless of its size. The distance of an object in front of it is the
/// difference between both. See Strand and others (Computer Vision and Image Understanding 117:4, 2013). The raster
/// scans, forwards and backwards, follow Zhang and others (ICCV 2015) and approximate the distance.
package struct BarrierDistance {
    /// The sum of the distances in all three planes, 0…765, row by row from the top left; 0 on the border.
    package let distances: [Int16]

    /// The maximum distance.
    static let maximum: Float = 3 * 255

    /// Computes the distances of an image.
    package init(_ image: AttentionImage) {
        let size = image.size
        var pixels: [Pixel] = []
        pixels.reserveCapacity(size.area)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let at = y * size.width + x
                let isBorder = x == 0 || y == 0 || x == size.width - 1 || y == size.height - 1
                pixels.append(
                    Pixel(Int16(image.luma[at]), Int16(image.blue[at]), Int16(image.red[at]), isBorder: isBorder)
                )
            }
        }
        if size.shortSide > 2 {
            for scan in 0..<AttentionConstants.barrierScans {
                Self.scan(&pixels, of: size, forwards: scan.isMultiple(of: 2))
            }
        }
        distances = pixels.map { $0.distance.wrappedSum() }
    }

    /// Relaxes each inner pixel with the paths of two neighbours: above and left, or below and right.
    private static func scan(_ pixels: inout [Pixel], of size: PixelSize, forwards: Bool) {
        let step = forwards ? 1 : -1
        for line in 1..<(size.height - 1) {
            let row = (forwards ? line : size.height - 1 - line) * size.width
            var at = forwards ? row + 1 : row + size.width - 2
            var beside = pixels[at - step]
            for _ in 1..<(size.width - 1) {
                var pixel = pixels[at]
                pixel.adoptPath(of: pixels[at - step * size.width])
                pixel.adoptPath(of: beside)
                pixels[at] = pixel
                beside = pixel
                at += step
            }
        }
    }
}

/// The state of a pixel during the scans, per plane; all values are 0…255 after a path was found.
private struct Pixel {
    typealias Samples = SIMD4<Int16>

    let color: Samples
    /// The maximum and the minimum value on the best path so far, and their difference.
    var highest: Samples
    var lowest: Samples
    var distance: Samples

    init(_ luma: Int16, _ blue: Int16, _ red: Int16, isBorder: Bool) {
        color = Samples(luma, blue, red, 0)
        (highest, lowest) = (color, color)
        distance = isBorder ? .zero : Samples(repeating: .max)
    }

    /// Uses a neighbour's path in each plane in which that path has a smaller range.
    ///
    /// Uses sums and masks, because `pointwiseMax` and `replacing` are not vectorised.
    @inline(__always)
    mutating func adoptPath(of neighbour: Pixel) {
        let above = color &- neighbour.highest
        let high = neighbour.highest &+ (above & ~(above &>> 15))
        let below = color &- neighbour.lowest
        let low = neighbour.lowest &+ (below & (below &>> 15))
        let range = high &- low
        let isShorter = (range &- distance) &>> 15
        distance ^= (distance ^ range) & isShorter
        highest ^= (highest ^ high) & isShorter
        lowest ^= (lowest ^ low) & isShorter
    }
}
