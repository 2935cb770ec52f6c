import Framing
import Geometry
import Glibc
import Motion

/// Determines the speaking people in a shot by lip motion, and by the sound if it distinguishes speech from pauses.
struct Speakers {
    /// The time over which lip motion is averaged, in seconds.
    static let window = 0.6
    /// The lip motion that means a speech probability of one half.
    static let even = 0.045
    /// The minimum score of a person who counts as speaking.
    static let minimum = 0.5
    /// The time over which lips and loudness are correlated, in seconds.
    static let correlated = 3.0
    /// The minimum number of sightings for a correlation.
    private static let minComparisons = 6

    let people: [[(frame: Int, lips: Double)]]
    let fps: Double
    private let sound: Loudness?

    /// Creates the speakers from the people of a shot and the sound of the clip.
    init(_ shot: ShotTracks, fps: Double, sound: Loudness?) {
        people = shot.tracks.map { track in
            track.points.compactMap { point in point.lips.map { (point.frame, $0) } }
        }
        self.fps = fps
        self.sound = sound.flatMap { $0.isTelling ? $0 : nil }
    }

    /// Whether the lips of at least one person were measured.
    var areKnown: Bool { people.contains { !$0.isEmpty } }

    /// Returns the probability that a person speaks in a frame, 0…1; 0 if the lips are not visible.
    func score(_ index: Int, at frame: Int) -> Double {
        let seen = sightings(of: index, around: frame, seconds: Self.window)
        guard !seen.isEmpty else { return 0 }
        let lips = seen.reduce(0) { $0 + $1.lips } / Double(seen.count)
        let moving = lips * lips / (lips * lips + Self.even * Self.even)
        guard let sound else { return moving }
        let seconds = Double(frame) / fps
        let likeness = correlation(index, at: frame, sound)
        return min(1, moving * (0.8 + 0.4 * likeness)) * min(1, 2 * sound.voiced(at: seconds, window: Self.window))
    }

    /// Returns the candidate with the highest probability of speech in a frame; nil if no score reaches ``minimum``.
    func speaker(of candidates: [Int], at frame: Int) -> Int? {
        candidates.map { ($0, score($0, at: frame)) }.filter { $0.1 >= Self.minimum }
            .max { ($0.1, -$0.0) < ($1.1, -$1.0) }?.0
    }

    /// Returns the correlation of a person's lip motion with the loudness in the seconds around a frame, -1…1.
    ///
    /// The value is 0 if there are too few sightings.
    private func correlation(_ index: Int, at frame: Int, _ sound: Loudness) -> Double {
        let pairs = sightings(of: index, around: frame, seconds: Self.correlated).compactMap { sighting in
            sound.level(at: Double(sighting.frame) / fps, window: 0.2).map { (sighting.lips, $0) }
        }
        return pairs.count >= Self.minComparisons ? Motion.correlation(pairs) : 0
    }

    private func sightings(of index: Int, around frame: Int, seconds: Double) -> ArraySlice<(frame: Int, lips: Double)>
    {
        let reach = Int((seconds / 2 * fps).rounded(.up))
        let all = people[index]
        return all[all.boundary { $0.frame >= frame - reach }..<all.boundary { $0.frame > frame + reach }]
    }
}

/// The loudness of a sound track over time.
package struct Loudness: Sendable {
    /// The duration of a level, in seconds.
    package static let step = 0.04
    /// The maximum level of a silent track, in decibels.
    private static let silence = -55.0
    /// The minimum difference between speech and pauses, in decibels.
    ///
    /// A track with a smaller difference, such as music, gives no information about speech.
    private static let minRange = 8.0
    /// The threshold of a voice, as a fraction of the distance from the level of pauses to the level of loud speech.
    private static let voice = 0.4

    /// Decibels relative to full scale, one for each ``step``.
    package let levels: [Double]
    /// The level of a voice in decibels; nil if the track does not distinguish speech from pauses.
    private let threshold: Double?

    /// Creates the loudness from levels in decibels.
    package init(levels: [Double]) {
        self.levels = levels
        let sorted = levels.sorted()
        guard !sorted.isEmpty else {
            threshold = nil
            return
        }
        let (low, high) = (sorted[sorted.count / 10], sorted[sorted.count * 19 / 20])
        let isTelling = high > Self.silence && high - low >= Self.minRange
        threshold = isTelling ? max(low, high - 40) + Self.voice * min(high - low, 40) : nil
    }

    /// Creates the loudness from samples, -32,768 to 32,767, at a rate in Hz.
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

    /// Whether speech and pauses can be distinguished.
    package var isTelling: Bool { threshold != nil }

    /// Returns the fraction of the `window` seconds around `seconds` in which a person may speak, 0…1.
    func voiced(at seconds: Double, window: Double) -> Double {
        guard let threshold else { return 1 }
        let part = levels(around: seconds, window)
        return part.isEmpty ? 0 : Double(part.count { $0 > threshold }) / Double(part.count)
    }

    /// Returns the mean level around a time, in decibels; nil after the end.
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
