package import Geometry
package import Imaging

/// Images drawn in code, so that tests need no files.
package enum TestImage {
    /// Red, green and blue of one pixel.
    package typealias RGB = (red: UInt8, green: UInt8, blue: UInt8)

    /// The colours of ``quadrants(_:)``: top left, top right, bottom left, bottom right.
    package static let quadrantColors: [RGB] = [(220, 40, 40), (40, 200, 60), (50, 60, 210), (240, 230, 60)]

    /// An RGB image whose pixel in column `x` of row `y` is `pixel(x, y)`.
    package static func rgb(_ size: PixelSize, pixel: (_ x: Int, _ y: Int) -> RGB) throws -> PlanarImage {
        let planes = [
            try Plane(size) { pixel($0, $1).red },
            try Plane(size) { pixel($0, $1).green },
            try Plane(size) { pixel($0, $1).blue },
        ]
        return PlanarImage(size: size, colorModel: .rgb, planes: planes)
    }

    /// A grey image whose pixel in column `x` of row `y` is `value(x, y)`.
    package static func gray(_ size: PixelSize, value: (_ x: Int, _ y: Int) -> UInt8) throws -> PlanarImage {
        PlanarImage(size: size, colorModel: .gray, planes: [try Plane(size, sample: value)])
    }

    /// A smooth gradient, different in every corner: red grows to the right, green downwards, blue falls along the
    /// diagonal.
    package static func gradient(_ size: PixelSize) throws -> PlanarImage {
        try rgb(size) { x, y in
            let across = Double(x) / Double(max(1, size.width - 1))
            let down = Double(y) / Double(max(1, size.height - 1))
            return (UInt8(255 * across), UInt8(255 * down), UInt8(255 - 255 * (across + down) / 2))
        }
    }

    /// Quarters in different colours, so that rotated and mirrored images can be distinguished.
    package static func quadrants(_ size: PixelSize) throws -> PlanarImage {
        try rgb(size) { x, y in quadrantColors[(y * 2 / size.height) * 2 + x * 2 / size.width] }
    }

    /// Grey noise, reproducible with its seed.
    package static func noise(_ size: PixelSize, seed: UInt64) throws -> PlanarImage {
        var generator = SeededGenerator(seed: seed)
        return try gray(size) { _, _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Red, green and blue noise.
    package static func colorNoise(_ size: PixelSize, seed: UInt64) throws -> PlanarImage {
        var generator = SeededGenerator(seed: seed)
        let planes = try (0..<3).map { _ in
            try Plane(size) { _, _ in UInt8.random(in: .min ... .max, using: &generator) }
        }
        return PlanarImage(size: size, colorModel: .rgb, planes: planes)
    }

    /// Grey waves of several wavelengths, which survive scaling like the details of a photo.
    package static func waves(_ size: PixelSize) throws -> PlanarImage {
        try gray(size) { x, y in
            let (a, b) = (Double(x), Double(y))
            return UInt8(128 + 50 * wave(a / 23 + b / 61) + 40 * wave(b / 17 - a / 90) + 30 * wave((a + b) / 9))
        }
    }

    /// A wave of period 1 between −1 and 1, composed of parabolas: close to a sine, but without a library.
    private static func wave(_ phase: Double) -> Double {
        let t = phase - phase.rounded(.down)
        return t < 0.5 ? 16 * t * (0.5 - t) : -16 * (t - 0.5) * (1 - t)
    }
}
