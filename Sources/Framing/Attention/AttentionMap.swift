package import Geometry

/// The attention weight of each pixel of a small picture: detail, skin likelihood, position prior, and for things the
/// barrier distance.
///
/// Used for pictures without detected faces: backs of heads, profiles, small figures, and subjects that are not
/// people. It is a heuristic that gives better crops than the middle of the picture.
package struct AttentionMap: Sendable {
    /// Columns and rows.
    package let size: PixelSize
    /// Row by row from the top left; each at most ``mostWeight``.
    package let weights: [Int32]
    /// The detail regardless of position; each at most ``mostWeight``.
    private let detail: [Int32]
    private let expected: ExpectedSubject

    /// The largest weight of a pixel: the sum of 16,384 of them is within the range of ``AttentionProfile``.
    package static let mostWeight = 1 << 16

    /// Computes the map of a picture in full-range BT.601 luma and chroma, each plane with a sample for every pixel.
    ///
    /// - Parameters:
    ///   - luma: Rows from the top; grey pictures have 128 in both other planes.
    ///   - blue: Blue chroma.
    ///   - red: Red chroma.
    ///   - size: At least 1 by 1, and at most ``mostPixels`` pixels.
    ///   - bytesPerRow: The distance between rows, in all three planes.
    ///   - expected: The expected kind of subject.
    package init(
        luma: Span<UInt8>,
        blue: Span<UInt8>,
        red: Span<UInt8>,
        size: PixelSize,
        bytesPerRow: Int,
        expecting expected: ExpectedSubject
    ) {
        precondition(size.width > 0 && size.height > 0 && size.area <= Self.mostPixels, "a small picture")
        precondition(bytesPerRow >= size.width, "rows do not overlap")
        let end = bytesPerRow * (size.height - 1) + size.width
        precondition(luma.count >= end && blue.count >= end && red.count >= end, "planes hold the picture")
        self.size = size
        self.expected = expected
        var details: [Float] = []
        var skins: [Float] = []
        details.reserveCapacity(size.area)
        skins.reserveCapacity(size.area)
        for y in 0..<size.height {
            let row = y * bytesPerRow
            // Values beyond the edges are unknown, so the edges have no detail.
            let above = y > 0 && y < size.height - 1 ? row - bytesPerRow : row
            let below = y > 0 && y < size.height - 1 ? row + bytesPerRow : row
            for x in 0..<size.width {
                let left = x > 0 && x < size.width - 1 ? row + x - 1 : row + x
                let right = x > 0 && x < size.width - 1 ? row + x + 1 : row + x
                let slope = abs(Int(luma[right]) - Int(luma[left])) + abs(Int(luma[below + x]) - Int(luma[above + x]))
                let at = row + x
                skins.append(SkinTone.likelihood(luma: luma[at], blue: blue[at], red: red[at]))
                details.append(Self.detail(slope))
            }
        }
        let seen =
            switch expected {
            case .people: zip(details, skins).map { Self.people(detail: $0, skin: $1) }
            case .things:
                Self.things(
                    details: details,
                    skins: skins,
                    apart: BarrierDistance(luma: luma, blue: blue, red: red, size: size, bytesPerRow: bytesPerRow)
                )
            }
        let prior = PositionPrior(size, expecting: expected)
        var weights: [Int32] = []
        weights.reserveCapacity(size.area)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let weight = seen[y * size.width + x] * prior.down[y] * prior.across[x]
                weights.append(Int32(weight * Float(Self.mostWeight)))
            }
        }
        self.weights = weights
        detail = details.map { Int32($0 * Float(Self.mostWeight)) }
    }

    /// The weight of a pixel of a person, 0…1.
    private static func people(detail: Float, skin: Float) -> Float { 0.25 * detail + 0.75 * skin }

    /// The weight of each pixel of a thing, 0…1: detail that does not belong to the background.
    private static func things(details: [Float], skins: [Float], apart: BarrierDistance) -> [Float] {
        let standing = zip(details, apart.distances).map { $0 * Float($1) / 765 }
        // Skin counts this many times the mean, because there may be a person after all.
        let skinShare = 2 * standing.reduce(0, +) / Float(standing.count)
        return zip(standing, skins).map { min(1, $0 + skinShare * $1) }
    }

    /// The strength of the luma gradient, 0…1; the weak gradients of clouds and noise are 0.
    private static func detail(_ slope: Int) -> Float { Float(max(0, slope - 10)) / 500 }

    /// The sums of columns and rows.
    package var profile: AttentionProfile {
        AttentionProfile(drawing: lines(of: weights), detail: lines(of: detail), expecting: expected)
    }

    private func lines(of weights: [Int32]) -> AttentionProfile.Lines {
        var columns = [Int](repeating: 0, count: size.width)
        var rows = [Int](repeating: 0, count: size.height)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let weight = Int(weights[y * size.width + x])
                columns[x] += weight
                rows[y] += weight
            }
        }
        return AttentionProfile.Lines(columns: columns, rows: rows)
    }
}

extension AttentionMap {
    /// The largest number of pixels to analyse: that of a square of 128 by 128.
    package static let mostPixels = 1 << 14

    /// The size at which an image is analysed: of the same shape, and never enlarged.
    package static func workingSize(for image: PixelSize) -> PixelSize {
        let scale = min(1, (Double(mostPixels) / Double(image.area)).squareRoot())
        let width = min(max(1, Int((Double(image.width) * scale).rounded())), mostPixels)
        let height = max(1, Int((Double(image.height) * scale).rounded()))
        return PixelSize(width: width, height: min(height, mostPixels / width))
    }
}
