import Glibc

/// A part of a filter.
enum FilterPart: Hashable, Sendable {
    case matrix(ColorMatrix)
    case curves(ToneCurves)
    /// A vignette with a strength: the fraction of light that the corners lose.
    case vignette(Double)
    /// A blur with a standard deviation in pixels.
    case blur(Double)
    /// Sharpening with an amount, and the standard deviation in pixels of the blur that is subtracted.
    case sharpen(Double, Double)

    /// The parts of filters, in order.
    ///
    /// Consecutive matrices are multiplied, without rounding and clamping between them, and consecutive curves are
    /// composed. Parts without an effect are omitted.
    static func parts(of filters: [ImageFilter]) -> [FilterPart] {
        var steps: [FilterPart] = []
        for step in filters.flatMap(\.parts) {
            switch (steps.last, step) {
            case (.matrix(let first), .matrix(let second)): steps[steps.count - 1] = .matrix(first.then(second))
            case (.curves(let first), .curves(let second)): steps[steps.count - 1] = .curves(first.then(second))
            case (_, .sharpen(0, _)): break
            // A narrower Gaussian changes no sample by a whole level.
            case (_, .blur(let deviation)) where deviation < 0.2: break
            case (_, .sharpen(_, let deviation)) where deviation < 0.2: break
            default: steps.append(step)
            }
        }
        return steps
    }
}

/// A linear change of red, green and blue, for values from 0 to 1.
struct ColorMatrix: Hashable, Sendable {
    /// For red, green and blue of the result: factors of red, green and blue, and a summand.
    private(set) var rows: [[Double]]

    /// Creates a matrix from its three rows of four numbers.
    init(_ red: [Double], _ green: [Double], _ blue: [Double]) {
        precondition([red, green, blue].allSatisfy { $0.count == 4 }, "a row has four numbers")
        rows = [red, green, blue]
    }

    /// Multiplies every channel by a factor, and adds a summand.
    init(factor: Double, summand: Double = 0) {
        self.init([factor, 0, 0, summand], [0, factor, 0, summand], [0, 0, factor, summand])
    }

    /// The luma of BT.709 in every channel, `grayscale(1)` of CSS.
    static let grayscale = ColorMatrix(saturation: 0)

    /// `saturate()` of CSS (Filter Effects Module Level 1), with the luma of BT.709.
    init(saturation: Double) {
        let (red, green, blue) = (0.2126, 0.7152, 0.0722)
        let rest = 1 - saturation
        self.init(
            [red * rest + saturation, green * rest, blue * rest, 0],
            [red * rest, green * rest + saturation, blue * rest, 0],
            [red * rest, green * rest, blue * rest + saturation, 0]
        )
    }

    /// `hue-rotate()` of CSS (Filter Effects Module Level 1), in degrees.
    init(hue degrees: Double) {
        let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        self.init(
            [
                0.213 + 0.787 * cosine - 0.213 * sine, 0.715 * (1 - cosine - sine), 0.072 * (1 - cosine) + 0.928 * sine,
                0,
            ],
            [
                0.213 * (1 - cosine) + 0.143 * sine, 0.715 + 0.285 * cosine + 0.14 * sine,
                0.072 * (1 - cosine) - 0.283 * sine, 0,
            ],
            [
                0.213 * (1 - cosine) - 0.787 * sine, 0.715 * (1 - cosine + sine), 0.072 + 0.928 * cosine + 0.072 * sine,
                0,
            ]
        )
    }

    func then(_ next: ColorMatrix) -> ColorMatrix {
        let product = next.rows.map { row in
            (0..<4).map { column in
                (0..<3).reduce(column == 3 ? row[3] : 0) { $0 + row[$1] * rows[$1][column] }
            }
        }
        return ColorMatrix(product[0], product[1], product[2])
    }

    /// The twelve numbers for samples from 0 to 255.
    var samples: [Float] { rows.flatMap { [Float($0[0]), Float($0[1]), Float($0[2]), Float($0[3] * 255)] } }
}

/// A curve for each channel, as a table of 256 samples.
struct ToneCurves: Hashable, Sendable {
    /// The tables of red, green and blue, one after the other.
    let samples: [UInt8]

    /// Creates one curve for all channels; it maps 0…1 to values that are clamped to 0…1.
    init(_ curve: (Double) -> Double) { self.init(curve, curve, curve) }

    init(_ red: (Double) -> Double, _ green: (Double) -> Double, _ blue: (Double) -> Double) {
        samples = Self.table(red) + Self.table(green) + Self.table(blue)
    }

    private static func table(_ curve: (Double) -> Double) -> [UInt8] {
        (0..<256).map { sample in
            let value: Double = curve(Double(sample) / 255)
            return UInt8((min(max(value, 0), 1) * 255).rounded())
        }
    }

    private init(samples: [UInt8]) { self.samples = samples }

    /// Returns the composition of these curves with `next`, which is applied second.
    func then(_ next: ToneCurves) -> ToneCurves {
        let composed = samples.indices.map { index in
            let table = index / 256 * 256
            return next.samples[table + Int(samples[index])]
        }
        return ToneCurves(samples: composed)
    }
}
