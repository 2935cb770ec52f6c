import Glibc

/// The loudness of a sound track over time.
package struct Loudness: Sendable {
    /// Seconds of a level.
    package static let step = 0.04
    /// The level in decibels below which a track is silent throughout.
    private static let silence = -55.0
    /// The least difference in decibels of speech and pauses; a track with less, such as music, says nothing about speech.
    private static let leastRange = 8.0
    /// The level of a voice between that of pauses and that of loud speech.
    private static let voice = 0.4

    /// Decibels relative to full scale, one for each ``step``.
    package let levels: [Double]
    /// The level above which somebody speaks; nil if the track does not tell.
    private let threshold: Double?

    /// The loudness of levels in decibels.
    package init(levels: [Double]) {
        self.levels = levels
        let sorted = levels.sorted()
        guard !sorted.isEmpty else {
            threshold = nil
            return
        }
        let (low, high) = (sorted[sorted.count / 10], sorted[sorted.count * 19 / 20])
        let isTelling = high > Self.silence && high - low >= Self.leastRange
        threshold = isTelling ? max(low, high - 40) + Self.voice * min(high - low, 40) : nil
    }

    /// The loudness of samples of a rate, from -32,768 to 32,767.
    package init(samples: [Int16], rate: Int) {
        let count = max(1, Int(Self.step * Double(rate)))
        self.init(
            levels: stride(from: 0, to: samples.count, by: count).map { start in
                let part = samples[start..<min(samples.count, start + count)]
                let power = part.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(part.count)
                return 10 * log10(max(power, 1) / (32_768 * 32_768))
            }
        )
    }

    /// Whether speech and pauses can be told apart.
    package var isTelling: Bool { threshold != nil }

    /// The share of a time of `window` seconds around `seconds` in which somebody may speak, 0…1.
    func voiced(at seconds: Double, window: Double) -> Double {
        guard let threshold else { return 1 }
        let part = levels(around: seconds, window)
        return part.isEmpty ? 0 : Double(part.count { $0 > threshold }) / Double(part.count)
    }

    /// The mean level around a time, in decibels; nil after the end.
    func level(at seconds: Double, window: Double) -> Double? {
        let part = levels(around: seconds, window)
        return part.isEmpty ? nil : part.reduce(0, +) / Double(part.count)
    }

    private func levels(around seconds: Double, _ window: Double) -> ArraySlice<Double> {
        let from = max(0, min(1e9, (seconds - window / 2) / Self.step))
        let to = max(0, min(1e9, (seconds + window / 2) / Self.step))
        let (first, last) = (min(levels.count, Int(from)), min(levels.count, Int(to) + 1))
        return levels[first..<max(first, last)]
    }
}
