import Foundation
import Geometry
package import Imaging

/// The difference between two planes or images of equal size.
package struct ImageDifference: Sendable {
    /// The mean of the absolute differences, 0 to 255.
    package let mean: Double
    /// The maximum absolute difference, 0 to 255.
    package let maximum: Int
    /// Peak signal-to-noise ratio in decibels; infinite for equal samples.
    package let psnr: Double

    /// Compares two planes sample by sample; planes of different sizes have the maximum difference.
    package init(_ first: Plane, _ second: Plane) {
        self.init([first], [second])
    }

    /// Compares two images with the same colour model plane by plane, without alpha.
    package init(_ first: PlanarImage, _ second: PlanarImage) {
        self.init(first.planes, second.planes)
    }

    private init(_ first: [Plane], _ second: [Plane]) {
        var (sum, squares, largest, count) = (0, 0, 0, 0)
        guard first.map(\.size) == second.map(\.size) else {
            (mean, maximum, psnr) = (255, 255, 0)
            return
        }
        for (one, other) in zip(first, second) {
            for y in 0..<one.size.height {
                for x in 0..<one.size.width {
                    let difference = abs(Int(one[x: x, y: y]) - Int(other[x: x, y: y]))
                    sum += difference
                    squares += difference * difference
                    largest = max(largest, difference)
                }
            }
            count += one.size.area
        }
        mean = Double(sum) / Double(count)
        maximum = largest
        psnr = squares == 0 ? .infinity : 10 * log10(255 * 255 * Double(count) / Double(squares))
    }
}
