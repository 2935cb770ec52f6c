import Glibc

/// A part of a filter.
enum FilterStep: Hashable, Sendable {
    case matrix(ColorMatrix)
    case curves(ToneCurves)
    /// By its strength: the share of light that the corners lose.
    case vignette(Double)
    /// By its standard deviation in pixels.
    case blur(Double)
    /// By its amount.
    case sharpen(Double)

    /// The standard deviation of the blur that sharpening subtracts, in pixels.
    static let sharpeningDeviation = 1.0

    /// The steps of filters in their order.
    ///
    /// Matrices that follow each other become their product, without rounding and clamping between them, and curves
    /// their composition. What changes nothing is left out.
    static func steps(of filters: [PictureFilter]) -> [FilterStep] {
        var steps: [FilterStep] = []
        for step in filters.flatMap(\.steps) {
            switch (steps.last, step) {
            case (.matrix(let first), .matrix(let second)): steps[steps.count - 1] = .matrix(first.then(second))
            case (.curves(let first), .curves(let second)): steps[steps.count - 1] = .curves(first.then(second))
            case (_, .sharpen(0)): break
            // A narrower Gaussian has no second sample of a level.
            case (_, .blur(let deviation)) where deviation < 0.2: break
            default: steps.append(step)
            }
        }
        return steps
    }
}

extension PictureFilter {
    /// The steps of the filter, for values from 0 to 1.
    fileprivate var steps: [FilterStep] {
        switch self {
        case .mono: [.matrix(.grayscale)]
        case .noir: [.matrix(.grayscale), .curves(ToneCurves { smoothstep(($0 - 0.1) / 0.8) })]
        case .tonal: [.matrix(.grayscale), .curves(ToneCurves { 0.05 + 0.9 * pow($0, 0.8) })]
        case .sepia:
            [.matrix(ColorMatrix([0.393, 0.769, 0.189, 0], [0.349, 0.686, 0.168, 0], [0.272, 0.534, 0.131, 0]))]
        case .chrome:
            [.matrix(ColorMatrix(saturation: 1.35)), .curves(ToneCurves { 0.7 * $0 + 0.3 * smoothstep($0) })]
        case .fade: [.matrix(ColorMatrix(saturation: 0.65).then(ColorMatrix(factor: 0.78, summand: 0.14)))]
        case .instant:
            [
                .matrix(
                    ColorMatrix(saturation: 0.8).then(
                        ColorMatrix([0.88, 0.04, 0, 0.1], [0, 0.88, 0, 0.07], [0, 0.06, 0.66, 0.13])
                    )
                )
            ]
        case .process:
            [
                .matrix(ColorMatrix(saturation: 0.85)),
                .curves(
                    ToneCurves(
                        { 0.4 * $0 + 0.55 * smoothstep($0) },
                        { 0.03 + 0.65 * $0 + 0.3 * smoothstep($0) },
                        { 0.14 + 0.8 * $0 }
                    )
                ),
            ]
        case .transfer:
            [
                .matrix(ColorMatrix(saturation: 0.75)),
                .curves(
                    ToneCurves(
                        { 0.05 + 0.95 * pow($0, 0.8) },
                        { 0.03 + 0.93 * pow($0, 0.9) },
                        { 0.06 + 0.78 * $0 }
                    )
                ),
            ]
        case .invert: [.matrix(ColorMatrix(factor: -1, summand: 1))]
        case .vignette: [.vignette(0.7)]
        case .blur(let deviation): [.blur(deviation)]
        case .sharpen(let amount): [.sharpen(amount)]
        case .brightness(let factor): [.matrix(ColorMatrix(factor: factor))]
        case .contrast(let factor): [.matrix(ColorMatrix(factor: factor, summand: 0.5 - 0.5 * factor))]
        case .saturation(let factor): [.matrix(ColorMatrix(saturation: factor))]
        }
    }
}

/// 3x² − 2x³ between 0 and 1.
private func smoothstep(_ x: Double) -> Double {
    let t = min(max(x, 0), 1)
    return t * t * (3 - 2 * t)
}

/// A linear change of red, green and blue, for values from 0 to 1.
struct ColorMatrix: Hashable, Sendable {
    /// For red, green and blue of the result: factors of red, green and blue, and a summand.
    private(set) var rows: [[Double]]

    /// A matrix by its three rows of four numbers.
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

    /// One curve for all channels, which maps 0…1 to values that are clamped to 0…1.
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

    /// These curves, and then others: equal to both, one after the other.
    func then(_ next: ToneCurves) -> ToneCurves {
        let composed = samples.indices.map { index in
            let table = index / 256 * 256
            return next.samples[table + Int(samples[index])]
        }
        return ToneCurves(samples: composed)
    }
}

/// A filter of pictures; docs/filters.md defines each.
package enum PictureFilter: Hashable, Codable, Sendable {
    /// Grey, with usual, high and low contrast.
    case mono, noir, tonal
    /// Tones of film: brown, strong, weak, warm, cool, and warm with bright middle tones.
    case sepia, chrome, fade, instant, process, transfer
    /// The negative, and darker corners.
    case invert, vignette
    /// Gaussian blur, by its standard deviation in pixels of the result.
    case blur(Double)
    /// Unsharp mask, by its amount.
    case sharpen(Double)
    /// Multiplies samples; 1 changes nothing.
    case brightness(Double)
    /// Multiplies distances from the middle grey; 1 changes nothing.
    case contrast(Double)
    /// Multiplies distances from grey of equal luma; 1 changes nothing.
    case saturation(Double)

    /// The largest standard deviation of a blur, in pixels.
    package static let maxBlur = 100.0
    package static let maxSharpening = 10.0
    /// The largest factor of brightness, contrast and saturation.
    package static let maxFactor = 10.0
    package static let maxCount = 8

    /// Whether grey pixels stay grey.
    fileprivate var keepsGray: Bool {
        switch self {
        case .mono, .noir, .tonal, .chrome, .fade, .invert, .vignette, .blur, .sharpen, .brightness, .contrast,
            .saturation:
            true
        case .sepia, .instant, .process, .transfer: false
        }
    }
}

extension [PictureFilter] {
    /// The colour model in which filtered pictures of a model are encoded best; scale a picture directly to it.
    package func colorModel(of model: ColorModel) -> ColorModel {
        model == .cmyk || model == .gray && !allSatisfy(\.keepsGray) ? .rgb : model
    }

    /// The most memory for filtering a picture, in bytes, beside the picture before it.
    ///
    /// It is the picture in red, green, blue and alpha before and after a filter, and the fields of the widest blur
    /// with their margins.
    package func bytesNeeded(area: Int, longSide: Int) -> Int {
        guard !isEmpty else { return 0 }
        let deviations = map { filter in
            switch filter {
            case .blur(let deviation): deviation
            case .sharpen: FilterStep.sharpeningDeviation
            default: 0.0
            }
        }
        let planes = 12 * area
        guard let widest = deviations.max(), widest > 0 else { return planes }
        let margin = Int(4 * Swift.min(widest, PictureFilter.maxBlur)) + 64
        return planes + 8 * (area + 2 * margin * longSide + margin * margin)
    }
}
