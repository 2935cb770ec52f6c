import Foundation

extension Double {
    /// This number to the power of `exponent`.
    package func power(_ exponent: Double) -> Double { pow(self, exponent) }
}

/// Conversions to sRGB in floating point, pixel by pixel, as the standards define them.
package enum NaiveColor {
    /// The sRGB colour for a colour of a profile with a matrix and a curve.
    package static func srgb(
        _ color: [Double],
        _ colorants: ColorProfile.Colorants,
        _ curve: ColorProfile.Curve
    ) -> [Double] {
        let light = color.map { curve.light($0 / 255) }
        let xyz = (0..<3).map { row in (0..<3).reduce(0) { $0 + colorants[$1][row] * light[$1] } }
        return srgb(xyz: xyz)
    }

    /// The sRGB colour for a CIE Lab colour under D50.
    package static func srgb(lab: [Double]) -> [Double] {
        let y = (lab[0] + 16) / 116
        let white = [0.9642, 1, 0.8249]
        let parts = [y + lab[1] / 500, y, y - lab[2] / 200]
        let xyz = zip(parts, white).map { part, white in
            white * (part > 6.0 / 29 ? part * part * part : 3 * 36 / 841 * (part - 4.0 / 29))
        }
        return srgb(xyz: xyz)
    }

    /// The sRGB samples for XYZ under D50, 0 to 255.
    package static func srgb(xyz: [Double]) -> [Double] {
        // The inverse matrix of the sRGB colorants under D50.
        let matrix = [
            [3.1338561, -1.6168667, -0.4906146], [-0.9787684, 1.9161415, 0.0334540],
            [0.0719453, -0.2289914, 1.4052427],
        ]
        return matrix.map { row in encoded(zip(row, xyz).reduce(0) { $0 + $1.0 * $1.1 }) }
    }

    /// The sRGB sample, 0 to 255, for linear light from 0 to 1.
    package static func encoded(_ light: Double) -> Double {
        let bounded = min(max(light, 0), 1)
        return 255 * (bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded.power(1 / 2.4) - 0.055)
    }
}
