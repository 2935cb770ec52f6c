import Foundation
package import Geometry
package import Imaging

/// A reference for separable resampling: every weight is computed and every sample summed in floating point.
package enum NaiveResampler {
    /// Scales a region of a plane; samples outside are mirrored.
    package static func resample(
        _ plane: Plane,
        region: FractionalRect,
        to size: PixelSize,
        filter: Resampler.Filter
    ) throws -> Plane {
        let columns = weights(plane.size.width, region.x, region.width, size.width, filter)
        let rows = weights(plane.size.height, region.y, region.height, size.height, filter)
        return try Plane(size) { x, y in
            var sum = 0.0
            for (row, down) in rows[y] {
                for (column, across) in columns[x] {
                    sum += down * across * Double(plane[x: column, y: row])
                }
            }
            return UInt8(min(max(sum.rounded(), 0), 255))
        }
    }

    private static func weights(
        _ length: Int,
        _ start: Double,
        _ covered: Double,
        _ count: Int,
        _ filter: Resampler.Filter
    ) -> [[(Int, Double)]] {
        let step = covered / Double(count)
        let stretch = max(step, 1)
        return (0..<count).map { index in
            let center = start + (Double(index) + 0.5) * step
            let reach = 3 * stretch
            var taps: [(Int, Double)] = []
            for tap in Int((center - reach).rounded(.down))...Int((center + reach).rounded(.up)) {
                let weight = value(filter, (Double(tap) + 0.5 - center) / stretch)
                guard weight != 0 else { continue }
                let mirrored = tap < 0 ? -tap - 1 : tap >= length ? 2 * length - tap - 1 : tap
                taps.append((min(max(mirrored, 0), length - 1), weight))
            }
            let total = taps.map(\.1).reduce(0, +)
            return taps.map { ($0.0, $0.1 / total) }
        }
    }

    private static func value(_ filter: Resampler.Filter, _ distance: Double) -> Double {
        let x = abs(distance)
        switch filter {
        case .linear:
            return max(0, 1 - x)
        case .cubic:
            if x < 1 { return 1.5 * x * x * x - 2.5 * x * x + 1 }
            return x < 2 ? -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2 : 0
        case .lanczos:
            return x < 3 ? sinc(x) * sinc(x / 3) : 0
        case .spline:
            if x < 1 { return 2.0 / 3 - x * x + x * x * x / 2 }
            return x < 2 ? (2 - x) * (2 - x) * (2 - x) / 6 : 0
        }
    }

    private static func sinc(_ x: Double) -> Double {
        x == 0 ? 1 : sin(.pi * x) / (.pi * x)
    }
}
