import Foundation
import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// Filters, compared with a pixel-by-pixel version of their definitions in docs/filters.md.
@Suite(.limitedConcurrency) struct FilterTests {
    private static let size = PixelSize(width: 67, height: 45)

    private static func gray(_ c: [Double]) -> Double { 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2] }

    private static func saturated(_ c: [Double], _ n: Double) -> [Double] {
        c.map { n * $0 + (1 - n) * gray(c) }
    }

    private static func smooth(_ x: Double) -> Double {
        let t = min(max(x, 0), 1)
        return 3 * t * t - 2 * t * t * t
    }

    private static func rounded(_ c: [Double]) -> [Double] {
        c.map { (min(max($0, 0), 1) * 255).rounded() / 255 }
    }

    /// The output of a filter for a colour, with values from 0 to 1.
    private static func expected(_ filter: ImageFilter, _ c: [Double]) -> [Double] {
        switch filter {
        case .mono: return saturated(c, 0)
        case .noir: return rounded(saturated(c, 0)).map { smooth(($0 - 0.1) / 0.8) }
        case .tonal: return rounded(saturated(c, 0)).map { 0.05 + 0.9 * pow($0, 0.8) }
        case .sepia:
            return [
                0.393 * c[0] + 0.769 * c[1] + 0.189 * c[2], 0.349 * c[0] + 0.686 * c[1] + 0.168 * c[2],
                0.272 * c[0] + 0.534 * c[1] + 0.131 * c[2],
            ]
        case .chrome: return rounded(saturated(c, 1.35)).map { 0.7 * $0 + 0.3 * smooth($0) }
        case .fade: return saturated(c, 0.65).map { 0.78 * $0 + 0.14 }
        case .instant:
            let s = saturated(c, 0.8)
            return [0.88 * s[0] + 0.04 * s[1] + 0.1, 0.88 * s[1] + 0.07, 0.06 * s[1] + 0.66 * s[2] + 0.13]
        case .process:
            let s = rounded(saturated(c, 0.85))
            return [
                0.4 * s[0] + 0.55 * smooth(s[0]), 0.03 + 0.65 * s[1] + 0.3 * smooth(s[1]), 0.14 + 0.8 * s[2],
            ]
        case .transfer:
            let s = rounded(saturated(c, 0.75))
            return [0.05 + 0.95 * pow(s[0], 0.8), 0.03 + 0.93 * pow(s[1], 0.9), 0.06 + 0.78 * s[2]]
        case .invert: return c.map { 1 - $0 }
        case .brightness(let n): return c.map { n * $0 }
        case .contrast(let n): return c.map { n * ($0 - 0.5) + 0.5 }
        case .saturation(let n): return saturated(c, n)
        case .hue(let degrees):
            // The sum of three matrices, as in the standard.
            let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
            let rows: [[[Double]]] = [
                [[0.213, 0.715, 0.072], [0.787, -0.715, -0.072], [-0.213, -0.715, 0.928]],
                [[0.213, 0.715, 0.072], [-0.213, 0.285, -0.072], [0.143, 0.140, -0.283]],
                [[0.213, 0.715, 0.072], [-0.213, -0.715, 0.928], [-0.787, 0.715, 0.072]],
            ]
            return rows.map { row in
                (0..<3).reduce(0) { $0 + (row[0][$1] + cosine * row[1][$1] + sine * row[2][$1]) * c[$1] }
            }
        case .gamma(let n): return c.map { pow($0, 1 / n) }
        case .vignette, .blur, .sharpen: return c
        }
    }

    private static let ofColors: [ImageFilter] = [
        .mono, .noir, .tonal, .sepia, .chrome, .fade, .instant, .process, .transfer, .invert, .brightness(1.4),
        .brightness(0), .contrast(2), .contrast(0.3), .saturation(0), .saturation(3), .saturation(1),
        .hue(0), .hue(40), .hue(180), .hue(270), .gamma(2.2), .gamma(0.5), .gamma(1),
    ]

    private func color(_ image: PlanarImage, _ x: Int, _ y: Int) -> [Double] {
        image.planes.map { Double($0[x: x, y: y]) / 255 }
    }

    /// Compares every sample; the output differs by at most one level from the rounded definition.
    private func compare(_ image: PlanarImage, _ expected: (_ x: Int, _ y: Int) -> [Double]) throws {
        for y in 0..<image.size.height {
            for x in 0..<image.size.width {
                for (found, wanted) in zip(color(image, x, y), expected(x, y)) {
                    let levels = abs(found * 255 - (min(max(wanted, 0), 1) * 255).rounded())
                    try #require(levels < 1.01, "\(found) instead of \(wanted) at \(x), \(y)")
                }
            }
        }
    }

    @Test(arguments: ofColors)
    func `a colour filter equals its definition`(filter: ImageFilter) throws {
        let source = try TestImage.colorNoise(Self.size, seed: 7)
        let result = try source.filtered(by: [filter])
        try compare(result) { Self.expected(filter, color(source, $0, $1)) }
    }

    @Test func `matrices are multiplied first, so nothing is clamped between filters`() throws {
        let source = try TestImage.colorNoise(Self.size, seed: 8)
        let result = try source.filtered(by: [.contrast(4), .brightness(0.5), .contrast(0.25)])
        try compare(result) { x, y in
            color(source, x, y).map { 0.25 * (0.5 * (4 * ($0 - 0.5) + 0.5) - 0.5) + 0.5 }
        }
    }

    @Test func `filters are applied in order`() throws {
        let source = try TestImage.colorNoise(Self.size, seed: 9)
        let one = try source.filtered(by: [.sepia, .invert])
        let other = try source.filtered(by: [.invert, .sepia])
        #expect(color(one, 3, 3) != color(other, 3, 3))
        try compare(one) { x, y in
            Self.expected(.sepia, color(source, x, y)).map { 1 - $0 }
        }
    }

    @Test func `a vignette darkens the corners and keeps the centre`() throws {
        let source = try TestImage.rgb(Self.size) { _, _ in (200, 100, 50) }
        let result = try source.filtered(by: [.vignette])
        let (width, height) = (Double(Self.size.width), Double(Self.size.height))
        try compare(result) { x, y in
            let across = Double(x) + 0.5 - width / 2
            let down = Double(y) + 0.5 - height / 2
            let square = 4 * (across * across + down * down) / (width * width + height * height)
            return color(source, x, y).map { $0 * (1 - 0.7 * square * square) }
        }
        #expect(result.planes[0][x: 0, y: 0] < 70 && result.planes[0][x: 33, y: 22] == 200)
    }

    /// The Gaussian convolution of a plane that is mirrored at its edges.
    private func blurred(_ value: (Int, Int) -> Double, _ size: PixelSize, _ deviation: Double) -> [[Double]] {
        let reach = Int((5 * deviation).rounded(.up))
        let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
        let sum = weights.reduce(0, +)
        func mirrored(_ index: Int, _ count: Int) -> Int {
            let place = ((index % (2 * count)) + 2 * count) % (2 * count)
            return place < count ? place : 2 * count - 1 - place
        }
        let rows = (0..<size.height).map { y in
            (0..<size.width).map { x in
                (-reach...reach).reduce(0) { $0 + weights[$1 + reach] * value(mirrored(x + $1, size.width), y) } / sum
            }
        }
        return (0..<size.height).map { y in
            (0..<size.width).map { x in
                (-reach...reach).reduce(0) { $0 + weights[$1 + reach] * rows[mirrored(y + $1, size.height)][x] } / sum
            }
        }
    }

    @Test(
        arguments: [0.3, 1, 2.5, 2.51, 4, 11, 40, 100],
        [PixelSize(width: 67, height: 45), PixelSize(width: 3, height: 9)]
    )
    func `a blur is a convolution with a Gaussian`(deviation: Double, size: PixelSize) throws {
        let source = try TestImage.colorNoise(size, seed: 10)
        let result = try source.filtered(by: [.blur(deviation)])
        let soft = source.planes.map { plane in
            blurred({ Double(plane[x: $0, y: $1]) / 255 }, size, deviation)
        }
        try compare(result) { x, y in soft.map { $0[y][x] } }
    }

    @Test(arguments: [0.5, 2], [0.5, 1, 4])
    func `sharpening adds the difference from a blur`(amount: Double, radius: Double) throws {
        let source = try TestImage.gradient(Self.size).filtered(by: [.contrast(1.5)])
        let result = try source.filtered(by: [.sharpen(amount, radius: radius)])
        let soft = source.planes.map { plane in blurred({ Double(plane[x: $0, y: $1]) / 255 }, Self.size, radius) }
        try compare(result) { x, y in
            color(source, x, y).enumerated().map { $1 + amount * ($1 - soft[$0][y][x]) }
        }
    }

    @Test(arguments: [ImageFilter.blur(1.5), .blur(6), .sharpen(3), .sharpen(2, radius: 5)])
    func `the colour of transparent pixels does not bleed into edges`(filter: ImageFilter) throws {
        let visible = try TestImage.rgb(Self.size) { x, _ in x < 30 ? (200, 120, 40) : (0, 0, 0) }
        let alpha = try Plane(Self.size) { x, _ in x < 30 ? 255 : 0 }
        let source = PlanarImage(size: Self.size, colorModel: .rgb, planes: visible.planes, alpha: alpha)
        let result = try source.filtered(by: [filter])
        let opacity = try #require(result.alpha)
        for y in 0..<Self.size.height {
            for x in 0..<Self.size.width where opacity[x: x, y: y] > 8 {
                let found = color(result, x, y).map { $0 * 255 }
                for (sample, wanted) in zip(found, [200.0, 120, 40]) { try #require(abs(sample - wanted) <= 2) }
            }
        }
        if case .blur = filter {
            #expect(opacity[x: 29, y: 20] < 200 && opacity[x: 31, y: 20] > 30)
        } else {
            #expect(opacity[x: 29, y: 20] == 255 && opacity[x: 30, y: 20] == 0)
        }
    }

    @Test func `blurred white stays white, and blurred black stays black`() throws {
        for level in [UInt8(0), 255] {
            let source = try TestImage.rgb(Self.size) { _, _ in (level, level, level) }
            for deviation in [0.2, 1, 2.5, 7, 33, 100] {
                let result = try source.filtered(by: [.blur(deviation)])
                try compare(result) { _, _ in [Double(level) / 255, Double(level) / 255, Double(level) / 255] }
            }
        }
    }
}
