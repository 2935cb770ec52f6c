import Glibc

extension ImageFilter {
    /// The parts of the filter, for values from 0 to 1.
    var parts: [FilterPart] {
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
        case .sharpen(let amount, let radius): [.sharpen(amount, radius)]
        case .brightness(let factor): [.matrix(ColorMatrix(factor: factor))]
        case .contrast(let factor): [.matrix(ColorMatrix(factor: factor, summand: 0.5 - 0.5 * factor))]
        case .saturation(let factor): [.matrix(ColorMatrix(saturation: factor))]
        case .hue(let degrees): [.matrix(ColorMatrix(hue: degrees))]
        case .gamma(let exponent): [.curves(ToneCurves { pow($0, 1 / exponent) })]
        }
    }
}

/// A filter of images; docs/filters.md defines each.
package enum ImageFilter: Hashable, Codable, Sendable {
    /// Grey, with usual, high and low contrast.
    case mono, noir, tonal
    /// Tones of film: brown, strong, weak, warm, cool, and warm with bright middle tones.
    case sepia, chrome, fade, instant, process, transfer
    /// The negative, and darker corners.
    case invert, vignette
    /// Gaussian blur, by its standard deviation in pixels of the result.
    case blur(Double)
    /// Unsharp mask, by its amount, and its radius: the standard deviation of the blur that is subtracted, in pixels of
    /// the result.
    case sharpen(Double, radius: Double = ImageFilter.standardRadius)
    /// Multiplies samples; 1 changes nothing.
    case brightness(Double)
    /// Multiplies distances from the middle grey; 1 changes nothing.
    case contrast(Double)
    /// Multiplies distances from grey of equal luma; 1 changes nothing.
    case saturation(Double)
    /// Turns the hue, in degrees; 0 changes nothing.
    case hue(Double)
    /// Raises samples to the power of 1 / exponent: above 1 middle tones are brighter; 1 changes nothing.
    case gamma(Double)

    /// The maximum standard deviation of a blur, in pixels.
    package static let maxBlur = 100.0
    package static let maxSharpening = 10.0
    /// The default radius of sharpening, in pixels.
    package static let standardRadius = 1.0
    /// The maximum radius of sharpening, in pixels.
    package static let maxRadius = 10.0
    /// The maximum rotation of the hue, in degrees.
    package static let maxHue = 360.0
    /// The maximum factor of brightness, contrast and saturation, and the maximum exponent of gamma.
    package static let maxFactor = 10.0
    package static let maxCount = 8

    /// Whether grey pixels stay grey.
    var keepsGray: Bool {
        switch self {
        case .mono, .noir, .tonal, .chrome, .fade, .invert, .vignette, .blur, .sharpen, .brightness, .contrast,
            .saturation, .hue, .gamma:
            true
        case .sepia, .instant, .process, .transfer: false
        }
    }
}
