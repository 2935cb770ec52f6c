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
        var field = Field(size: size)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let at = y * bytesPerRow + x
                field.append(
                    SIMD4(Int16(luma[at]), Int16(blue[at]), Int16(red[at]), 0),
                    isBorder: x == 0 || y == 0 || x == size.width - 1 || y == size.height - 1
                )
            }
        }
        if size.shortSide > 2 {
            for scan in 0..<Self.scans { field.scan(forwards: scan.isMultiple(of: 2)) }
        }
        distances = field.distances.map { $0.wrappedSum() }
    }
}

/// What is known of each pixel while the scans go on, plane by plane.
private struct Field {
    typealias Samples = SIMD4<Int16>

    let size: PixelSize
    private var colors: [Samples] = []
    /// The greatest and the least value on the best way that was found, and what lies between.
    private var highest: [Samples] = []
    private var lowest: [Samples] = []
    private(set) var distances: [Samples] = []

    init(size: PixelSize) {
        self.size = size
        colors.reserveCapacity(size.area)
        highest.reserveCapacity(size.area)
        lowest.reserveCapacity(size.area)
        distances.reserveCapacity(size.area)
    }

    mutating func append(_ color: Samples, isBorder: Bool) {
        colors.append(color)
        highest.append(color)
        lowest.append(color)
        distances.append(isBorder ? .zero : Samples(repeating: .max))
    }

    /// Offers each pixel inside the border the ways of two neighbours: above and left of it, or below and right.
    mutating func scan(forwards: Bool) {
        let step = forwards ? 1 : -1
        let (width, height) = (size.width, size.height)
        for line in 1..<(height - 1) {
            let row = (forwards ? line : height - 1 - line) * width
            var at = forwards ? row + 1 : row + width - 2
            for _ in 1..<(width - 1) {
                offer(from: at - step * width, to: at)
                offer(from: at - step, to: at)
                at += step
            }
        }
    }

    /// Goes a neighbour's way in each plane in which that is shorter.
    @inline(__always)
    private mutating func offer(from neighbour: Int, to pixel: Int) {
        let color = colors[pixel]
        let high = pointwiseMax(highest[neighbour], color)
        let low = pointwiseMin(lowest[neighbour], color)
        let distance = high &- low
        let isShorter = distance .< distances[pixel]
        distances[pixel].replace(with: distance, where: isShorter)
        highest[pixel].replace(with: high, where: isShorter)
        lowest[pixel].replace(with: low, where: isShorter)
    }
}
