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
    /// Matrices that follow each other become their product, without rounding and clamping between them, and curves their
    /// composition. What changes nothing is left out.
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
    /// What it does, for values from 0 to 1.
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
                    ToneCurves {
                        0.4 * $0 + 0.55 * smoothstep($0)
                    } _: {
                        0.03 + 0.65 * $0 + 0.3 * smoothstep($0)
                    } _: {
                        0.14 + 0.8 * $0
                    }
                ),
            ]
        case .transfer:
            [
                .matrix(ColorMatrix(saturation: 0.75)),
                .curves(
                    ToneCurves {
                        0.05 + 0.95 * pow($0, 0.8)
                    } _: {
                        0.03 + 0.93 * pow($0, 0.9)
                    } _: {
                        0.06 + 0.78 * $0
                    }
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
