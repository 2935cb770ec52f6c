import Glibc

/// The facts about one filter: its numbers in requests, its effect in words, and its computation.
///
/// The request parser, the documents, their tests and the filter itself all use these facts. A new filter is a case of
/// ``ImageFilter`` and of ``ImageFilter/Name``. The compiler then requires a row, and tests require a definition in
/// docs/filters.md and in `scripts/check-filters`.
package struct FilterRow: Sendable {
    /// The numbers after the name of a filter.
    package enum Numbers: Sendable {
        /// No number, as in `mono`.
        case none(ImageFilter)
        /// A number from 0 to a maximum, as in `blur:2`.
        case one(maximum: Double, @Sendable (Double) -> ImageFilter)
        /// A number and optionally a radius, each from 0 to a maximum, as in `sharpen:2` and `sharpen:2:3`.
        case radius(maximum: Double, maxRadius: Double, @Sendable (_ number: Double, _ radius: Double?) -> ImageFilter)

        /// The maximum of the first number; nil for a filter without a number.
        package var maximum: Double? {
            switch self {
            case .none: nil
            case .one(let maximum, _), .radius(let maximum, _, _): maximum
            }
        }
    }

    /// The numbers after the name.
    package let numbers: Numbers
    /// The number that changes nothing; nil for a filter without a number.
    package let neutral: Double?
    /// The effect in words, for docs/filters.md; N is the first number and R the radius.
    package let effect: String
    /// Whether grey pixels stay grey.
    let keepsGray: Bool
    /// The parts of the filter for values from 0 to 1.
    ///
    /// The arguments are its number and its radius, each 0 if the filter has none.
    let parts: @Sendable (_ number: Double, _ radius: Double) -> [FilterPart]

    private init(
        _ numbers: Numbers,
        _ effect: String,
        neutral: Double? = nil,
        keepsGray: Bool = true,
        _ parts: @escaping @Sendable (_ number: Double, _ radius: Double) -> [FilterPart]
    ) {
        self.numbers = numbers
        self.neutral = neutral
        self.effect = effect
        self.keepsGray = keepsGray
        self.parts = parts
    }

    /// Returns the row of a filter.
    package static func row(of name: ImageFilter.Name) -> FilterRow {
        switch name {
        case .mono: FilterRow(.none(.mono), "grey") { _, _ in [.matrix(.grayscale)] }
        case .noir:
            FilterRow(.none(.noir), "grey with high contrast") { _, _ in
                [.matrix(.grayscale), .curves(ToneCurves { smoothstep(($0 - 0.1) / 0.8) })]
            }
        case .tonal:
            FilterRow(.none(.tonal), "grey with low contrast") { _, _ in
                [.matrix(.grayscale), .curves(ToneCurves { 0.05 + 0.9 * pow($0, 0.8) })]
            }
        case .sepia:
            FilterRow(.none(.sepia), "brown tones", keepsGray: false) { _, _ in
                [.matrix(ColorMatrix([0.393, 0.769, 0.189, 0], [0.349, 0.686, 0.168, 0], [0.272, 0.534, 0.131, 0]))]
            }
        case .chrome:
            FilterRow(.none(.chrome), "strong colours with high contrast") { _, _ in
                [.matrix(ColorMatrix(saturation: 1.35)), .curves(ToneCurves { 0.7 * $0 + 0.3 * smoothstep($0) })]
            }
        case .fade:
            FilterRow(.none(.fade), "weak colours with low contrast") { _, _ in
                [.matrix(ColorMatrix(saturation: 0.65).then(ColorMatrix(factor: 0.78, summand: 0.14)))]
            }
        case .instant: .instant
        case .process: .process
        case .transfer: .transfer
        case .invert:
            FilterRow(.none(.invert), "the negative") { _, _ in [.matrix(ColorMatrix(factor: -1, summand: 1))] }
        case .vignette: FilterRow(.none(.vignette), "dark corners") { _, _ in [.vignette(0.7)] }
        case .blur:
            FilterRow(
                .one(maximum: ImageFilter.maxBlur) { .blur($0) },
                "Gaussian blur; N is the standard deviation in output pixels",
                neutral: 0
            ) { deviation, _ in [.blur(deviation)] }
        case .sharpen:
            FilterRow(
                .radius(maximum: ImageFilter.maxSharpening, maxRadius: ImageFilter.maxRadius) { amount, radius in
                    .sharpen(amount, radius: radius ?? ImageFilter.standardRadius)
                },
                "unsharp mask; N is the amount, R the radius, a standard deviation in output pixels, 1 by default",
                neutral: 0
            ) { amount, radius in [.sharpen(amount, radius)] }
        case .brightness:
            .factor({ .brightness($0) }, "multiplies samples; 1 changes nothing") { [.matrix(ColorMatrix(factor: $0))] }
        case .contrast:
            .factor({ .contrast($0) }, "multiplies distances from middle grey; 1 changes nothing") {
                [.matrix(ColorMatrix(factor: $0, summand: 0.5 - 0.5 * $0))]
            }
        case .saturation:
            .factor({ .saturation($0) }, "multiplies distances from grey of equal luma; 1 changes nothing") {
                [.matrix(ColorMatrix(saturation: $0))]
            }
        case .hue:
            FilterRow(
                .one(maximum: ImageFilter.maxHue) { .hue($0) },
                "rotates the hue by N degrees",
                neutral: 0
            ) { degrees, _ in [.matrix(ColorMatrix(hue: degrees))] }
        case .gamma:
            .factor({ .gamma($0) }, "middle tones are brighter above 1, darker below 1") { exponent in
                [.curves(ToneCurves { pow($0, 1 / exponent) })]
            }
        }
    }

    private static func factor(
        _ filter: @escaping @Sendable (Double) -> ImageFilter,
        _ effect: String,
        _ parts: @escaping @Sendable (Double) -> [FilterPart]
    ) -> FilterRow {
        FilterRow(.one(maximum: ImageFilter.maxFactor, filter), effect, neutral: 1) { number, _ in parts(number) }
    }

    private static let instant = FilterRow(.none(.instant), "colours of instant film", keepsGray: false) { _, _ in
        [
            .matrix(
                ColorMatrix(saturation: 0.8).then(
                    ColorMatrix([0.88, 0.04, 0, 0.1], [0, 0.88, 0, 0.07], [0, 0.06, 0.66, 0.13])
                )
            )
        ]
    }

    private static let process = FilterRow(.none(.process), "colours of cross-processed film", keepsGray: false) {
        _,
        _ in
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
    }

    private static let transfer = FilterRow(.none(.transfer), "warm colours", keepsGray: false) { _, _ in
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
    }
}

/// 3x² − 2x³ between 0 and 1.
private func smoothstep(_ x: Double) -> Double {
    let t = min(max(x, 0), 1)
    return t * t * (3 - 2 * t)
}
