/// A curve for each channel, as a table of 256 samples.
struct ToneCurves: Hashable, Sendable {
    /// The tables of red, green and blue, one after the other.
    let samples: [UInt8]

    /// One curve for all channels, which maps 0…1 to values that are clamped to 0…1.
    init(_ curve: (Double) -> Double) { self.init(curve, curve, curve) }

    /// A curve for each of red, green and blue.
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
