/// The scale of an encoder, so that one quality means the same to the eye in every format.
///
/// The quality is that of libjpeg. At each of its steps, the encoder's own value is the one at which photographs have the
/// same SSIM as the JPEG: the median over photographs at three sizes (docs/quality.md), linear in between.
struct QualityScale {
    /// Pairs of a quality and the encoder's value, in ascending order of quality.
    private let steps: [(quality: Double, value: Double)]

    init(_ steps: [(quality: Double, value: Double)]) {
        self.steps = steps
    }

    /// The encoder's value for a quality, rounded; qualities outside of the scale have the value of its end.
    func value(for quality: Int) -> Int {
        let quality = Double(quality)
        guard let upper = steps.firstIndex(where: { $0.quality >= quality }) else {
            return Int((steps.last?.value ?? 0).rounded())
        }
        guard upper > 0 else { return Int(steps[0].value.rounded()) }
        let (low, high) = (steps[upper - 1], steps[upper])
        let share = (quality - low.quality) / (high.quality - low.quality)
        return Int((low.value + share * (high.value - low.value)).rounded())
    }
}
