package import Geometry

/// The attention weight of each pixel of a small image: saliency times the position prior.
///
/// It is used for images without detected faces: backs of heads, profiles, small figures, and subjects that are not
/// people. It is a heuristic that gives better crops than the centre of the image.
package struct AttentionMap: Sendable {
    /// Columns and rows.
    package let size: PixelSize
    /// Row by row from the top left; the maximum is ``maxWeight``.
    package let weights: [Int32]
    /// The detail of each pixel, regardless of position; each at most ``maxWeight``.
    private let detail: [Int32]

    /// The maximum weight of a pixel: the sum of 16,384 weights is within the range of ``AttentionProfile``.
    package static let maxWeight: Int32 = 1 << 16

    /// Computes the map of an image with the expected kind of subject.
    package init(_ image: AttentionImage, expecting expected: ExpectedSubject) {
        size = image.size
        let detail = Self.detail(of: image)
        let saliency = Self.saliency(of: image, detail: detail, expecting: expected)
        // Where little is salient, the uniform weight makes the prior decide.
        let mean = saliency.reduce(0, +) / Float(saliency.count)
        let uniform = mean > 0 ? AttentionConstants.uniformWeight * mean : 1
        let prior = PositionPrior(size, expecting: expected)
        var products: [Float] = []
        products.reserveCapacity(size.area)
        for y in 0..<size.height {
            for x in 0..<size.width {
                products.append((saliency[y * size.width + x] + uniform) * prior.down[y] * prior.across[x])
            }
        }
        // The prior is positive inside the image, so the peak is positive too.
        let scale = Float(Self.maxWeight) / (products.max() ?? 1)
        weights = products.map { min(Int32($0 * scale), Self.maxWeight) }
        self.detail = detail.map { Int32($0 * Float(Self.maxWeight)) }
    }

    /// Returns the saliency of each pixel; only proportions matter.
    private static func saliency(
        of image: AttentionImage,
        detail: [Float],
        expecting expected: ExpectedSubject
    ) -> [Float] {
        let skin = image.luma.indices.map { at in
            SkinTone.likelihood(luma: image.luma[at], blue: image.blue[at], red: image.red[at])
        }
        switch expected {
        case .people:
            return zip(detail, skin).map { $0 + AttentionConstants.skinWeight * $1 }
        case .things:
            let distances = BarrierDistance(image).distances
            let foreground = zip(detail, distances).map { $0 * Float($1) / BarrierDistance.maximum }
            // Full skin has the mean weight, because there may still be a person.
            let mean = foreground.reduce(0, +) / Float(foreground.count)
            return zip(foreground, skin).map { $0 + mean * $1 }
        }
    }

    /// Returns the strength of the luma gradient at each pixel, 0…1; 0 on the image's border.
    private static func detail(of image: AttentionImage) -> [Float] {
        let (luma, width) = (image.luma, image.size.width)
        var detail = [Float](repeating: 0, count: luma.count)
        for y in 0..<image.size.height {
            for x in 0..<width {
                let at = y * width + x
                // Neighbours outside the image are unknown.
                let across = x > 0 && x < width - 1 ? abs(Int(luma[at + 1]) - Int(luma[at - 1])) : 0
                let isInner = y > 0 && y < image.size.height - 1
                let down = isInner ? abs(Int(luma[at + width]) - Int(luma[at - width])) : 0
                detail[at] = Float(max(0, across + down - AttentionConstants.faintGradient)) / 510
            }
        }
        return detail
    }

    /// The sums of columns and rows.
    package var profile: AttentionProfile {
        let (columns, rows) = sums(of: weights)
        let (detailColumns, detailRows) = sums(of: detail)
        return AttentionProfile(columns: columns, rows: rows, detailColumns: detailColumns, detailRows: detailRows)
    }

    private func sums(of weights: [Int32]) -> (columns: [Int], rows: [Int]) {
        var columns = [Int](repeating: 0, count: size.width)
        var rows = [Int](repeating: 0, count: size.height)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let weight = Int(weights[y * size.width + x])
                columns[x] += weight
                rows[y] += weight
            }
        }
        return (columns, rows)
    }
}

/// The likelihood that a colour is skin, of any complexion, based mainly on chroma.
///
/// The likelihood is highest in the centre of the ellipse that fills the range of skin, and decreases to its rim. Grey
/// lies outside it.
enum SkinTone {
    /// Returns the likelihood for full-range BT.601 samples: 0 for no skin, 1 for the most typical skin.
    static func likelihood(luma: UInt8, blue: UInt8, red: UInt8) -> Float {
        let across = (Float(blue) - AttentionConstants.skinBlue.middle) / AttentionConstants.skinBlue.reach
        let down = (Float(red) - AttentionConstants.skinRed.middle) / AttentionConstants.skinRed.reach
        let nearness = max(0, 1 - across * across - down * down)
        return nearness * min(1, Float(luma) / AttentionConstants.fullSkinLuma)
    }
}
