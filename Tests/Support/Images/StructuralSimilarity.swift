import Geometry
package import Imaging

/// The mean SSIM index of two planes (Wang, Bovik, Sheikh and Simoncelli 2004); 1 for equal planes.
///
/// The windows have 8×8 samples of equal weight, one window at every sample; the constants are from the paper.
package struct StructuralSimilarity: Sendable {
    /// The mean index, at most 1.
    package let mean: Double

    /// Compares two planes of the same size, which is at least 8×8.
    package init(_ first: Plane, _ second: Plane) {
        precondition(first.size == second.size && first.size.shortSide >= Self.side, "planes of one size")
        let (width, height) = (first.size.width, first.size.height)
        let (low, high) = (0.01 * 255 * 0.01 * 255, 0.03 * 255 * 0.03 * 255)
        var sum = 0.0
        for y in 0...height - Self.side {
            for x in 0...width - Self.side {
                var (a, b, aa, bb, ab) = (0, 0, 0, 0, 0)
                for row in y..<y + Self.side {
                    for column in x..<x + Self.side {
                        let (one, other) = (Int(first[x: column, y: row]), Int(second[x: column, y: row]))
                        a += one
                        b += other
                        aa += one * one
                        bb += other * other
                        ab += one * other
                    }
                }
                let count = Double(Self.side * Self.side)
                let (meanA, meanB) = (Double(a) / count, Double(b) / count)
                let varianceA = Double(aa) / count - meanA * meanA
                let varianceB = Double(bb) / count - meanB * meanB
                let covariance = Double(ab) / count - meanA * meanB
                sum +=
                    (2 * meanA * meanB + low) * (2 * covariance + high)
                    / ((meanA * meanA + meanB * meanB + low) * (varianceA + varianceB + high))
            }
        }
        mean = sum / Double((width - Self.side + 1) * (height - Self.side + 1))
    }

    private static let side = 8
}
