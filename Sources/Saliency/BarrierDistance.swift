package import Framing

/// How far each pixel of a small picture is apart from the picture's border, as colours go.
///
/// The minimum barrier distance: of all ways to the border the one on which a value changes least, and the range of the
/// values on it. Ground that reaches the border is near to it however far it stretches, and a thing that stands before
/// the ground is as far as it differs. See Strand and others (Computer Vision and Image Understanding 117:4, 2013);
/// the scans, row by row there and back, are those of Zhang and others (ICCV 2015), which come close to it.
package struct BarrierDistance {
    /// From the top left, row by row: the distances in all three planes together, 0…765; 0 on the border.
    package let distances: [Int16]

    /// There, back, and there again; more changes hardly anything.
    private static let scans = 3

    /// Measures a picture of three planes whose rows are `bytesPerRow` apart.
    package init(luma: Span<UInt8>, blue: Span<UInt8>, red: Span<UInt8>, size: PixelSize, bytesPerRow: Int) {
        var pixels: [Pixel] = []
        pixels.reserveCapacity(size.area)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let at = y * bytesPerRow + x
                let isBorder = x == 0 || y == 0 || x == size.width - 1 || y == size.height - 1
                pixels.append(Pixel(Int16(luma[at]), Int16(blue[at]), Int16(red[at]), isBorder: isBorder))
            }
        }
        if size.shortSide > 2 {
            pixels.withUnsafeMutableBufferPointer { pixels in
                for scan in 0..<Self.scans { Self.scan(pixels, of: size, forwards: scan.isMultiple(of: 2)) }
            }
        }
        distances = pixels.map { $0.distance.wrappedSum() }
    }

    /// Offers each pixel inside the border the ways of two neighbours: above and left of it, or below and right.
    private static func scan(_ pixels: UnsafeMutableBufferPointer<Pixel>, of size: PixelSize, forwards: Bool) {
        let step = forwards ? 1 : -1
        for line in 1..<(size.height - 1) {
            let row = (forwards ? line : size.height - 1 - line) * size.width
            var at = forwards ? row + 1 : row + size.width - 2
            var beside = pixels[at - step]
            for _ in 1..<(size.width - 1) {
                var pixel = pixels[at]
                pixel.take(wayOf: pixels[at - step * size.width])
                pixel.take(wayOf: beside)
                pixels[at] = pixel
                beside = pixel
                at += step
            }
        }
    }
}

/// What is known of a pixel while the scans go on, plane by plane; all of it 0…255 once a way was found.
private struct Pixel {
    typealias Samples = SIMD4<Int16>

    let color: Samples
    /// The greatest and the least value on the best way that was found, and what lies between.
    var highest: Samples
    var lowest: Samples
    var distance: Samples

    init(_ luma: Int16, _ blue: Int16, _ red: Int16, isBorder: Bool) {
        color = Samples(luma, blue, red, 0)
        (highest, lowest) = (color, color)
        distance = isBorder ? .zero : Samples(repeating: .max)
    }

    /// Goes a neighbour's way in each plane in which that is shorter.
    ///
    /// In sums and masks, as the lanes of `pointwiseMax` and `replacing` are gone through one by one.
    @inline(__always)
    mutating func take(wayOf neighbour: Pixel) {
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
