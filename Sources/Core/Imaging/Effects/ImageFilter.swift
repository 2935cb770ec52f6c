/// A filter of images; docs/filters.md defines each.
package enum ImageFilter: Hashable, Codable, Sendable {
    /// Grey, with normal, high and low contrast.
    case mono, noir, tonal
    /// Brown tones, strong and weak colours, instant film, cross-processed film, and warm colours.
    case sepia, chrome, fade, instant, process, transfer
    /// The negative, and darker corners.
    case invert, vignette
    /// Gaussian blur with a standard deviation in output pixels.
    case blur(Double)
    /// Unsharp mask with an amount and a radius: the standard deviation, in output pixels, of the blur that is
    /// subtracted.
    case sharpen(Double, radius: Double = ImageFilter.standardRadius)
    /// Multiplies samples; 1 changes nothing.
    case brightness(Double)
    /// Multiplies distances from middle grey; 1 changes nothing.
    case contrast(Double)
    /// Multiplies distances from grey of equal luma; 1 changes nothing.
    case saturation(Double)
    /// Rotates the hue, in degrees; 0 changes nothing.
    case hue(Double)
    /// Raises samples to the power of 1 / exponent; 1 changes nothing, and larger exponents make midtones brighter.
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
}

extension ImageFilter {
    /// The names of filters in requests, in the order of documents.
    package enum Name: String, CaseIterable, Sendable {
        case mono, noir, tonal, sepia, chrome, fade, instant, process, transfer, invert, vignette
        case blur, sharpen, brightness, contrast, saturation, hue, gamma
    }

    /// The name of the filter.
    package var name: Name { call.name }

    /// Whether grey pixels stay grey.
    var keepsGray: Bool { FilterRow.row(of: name).keepsGray }

    /// The parts of the filter, for values from 0 to 1.
    var parts: [FilterPart] {
        let call = call
        return FilterRow.row(of: call.name).parts(call.number, call.radius)
    }

    /// The name with the number and the radius; 0 if the filter has none.
    private var call: (name: Name, number: Double, radius: Double) {
        switch self {
        case .mono: (.mono, 0, 0)
        case .noir: (.noir, 0, 0)
        case .tonal: (.tonal, 0, 0)
        case .sepia: (.sepia, 0, 0)
        case .chrome: (.chrome, 0, 0)
        case .fade: (.fade, 0, 0)
        case .instant: (.instant, 0, 0)
        case .process: (.process, 0, 0)
        case .transfer: (.transfer, 0, 0)
        case .invert: (.invert, 0, 0)
        case .vignette: (.vignette, 0, 0)
        case .blur(let deviation): (.blur, deviation, 0)
        case .sharpen(let amount, let radius): (.sharpen, amount, radius)
        case .brightness(let factor): (.brightness, factor, 0)
        case .contrast(let factor): (.contrast, factor, 0)
        case .saturation(let factor): (.saturation, factor, 0)
        case .hue(let degrees): (.hue, degrees, 0)
        case .gamma(let exponent): (.gamma, exponent, 0)
        }
    }
}
