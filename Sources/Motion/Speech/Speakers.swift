import Framing
import Geometry

/// Who speaks in a shot: by the motion of lips over half a second, and by the sound where there is one.
struct Speakers {
    /// Seconds over which the motion of lips is averaged.
    static let window = 0.6
    /// The motion of lips of a person who speaks as likely as not.
    static let even = 0.045
    /// The score from which somebody speaks.
    static let least = 0.5
    /// Seconds over which lips and loudness are correlated.
    static let correlated = 3.0
    /// The most sightings in them that are compared.
    private static let leastCompared = 6

    let people: [[(frame: Int, lips: Double)]]
    let fps: Double
    private let sound: Loudness?

    /// The people of a shot, and the sound of the clip.
    init(_ shot: ShotTracks, fps: Double, sound: Loudness?) {
        people = shot.tracks.map { track in
            track.points.compactMap { point in point.lips.map { (point.frame, $0) } }
        }
        self.fps = fps
        self.sound = sound.flatMap { $0.isTelling ? $0 : nil }
    }

    /// Whether anybody's lips were measured.
    var areKnown: Bool { people.contains { !$0.isEmpty } }

    /// The probability that a person speaks in a frame, 0…1; 0 if the lips are not seen.
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

    /// Who of some people speaks in a frame; nil if nobody does.
    func speaker(of candidates: [Int], at frame: Int) -> Int? {
        candidates.map { ($0, score($0, at: frame)) }.filter { $0.1 >= Self.least }
            .max { ($0.1, -$0.0) < ($1.1, -$1.0) }?.0
    }

    /// The correlation of the motion of a person's lips with the loudness in the seconds around a frame, -1…1; 0 if too little
    /// is known.
    private func correlation(_ index: Int, at frame: Int, _ sound: Loudness) -> Double {
        let pairs = sightings(of: index, around: frame, seconds: Self.correlated).compactMap { sighting in
            sound.level(at: Double(sighting.frame) / fps, window: 0.2).map { (sighting.lips, $0) }
        }
        guard pairs.count >= Self.leastCompared else { return 0 }
        let count = Double(pairs.count)
        let (lips, level) = (pairs.reduce(0) { $0 + $1.0 } / count, pairs.reduce(0) { $0 + $1.1 } / count)
        var (both, ours, theirs) = (0.0, 0.0, 0.0)
        for pair in pairs {
            both += (pair.0 - lips) * (pair.1 - level)
            ours += (pair.0 - lips) * (pair.0 - lips)
            theirs += (pair.1 - level) * (pair.1 - level)
        }
        let scale = (ours * theirs).squareRoot()
        return scale > 1e-9 ? both / scale : 0
    }

    private func sightings(of index: Int, around frame: Int, seconds: Double) -> ArraySlice<(frame: Int, lips: Double)>
    {
        let reach = Int((seconds / 2 * fps).rounded(.up))
        let all = people[index]
        var (low, high) = (0, all.count)
        while low < high {
            let middle = (low + high) / 2
            if all[middle].frame < frame - reach { low = middle + 1 } else { high = middle }
        }
        var end = low
        while end < all.count, all[end].frame <= frame + reach { end += 1 }
        return all[low..<end]
    }
}

/// A time in which a person speaks.
package struct SpeechTurn: Hashable, Codable, Sendable {
    /// The number of the person in the plan.
    package var person: Int
    /// The first frame.
    package var first: Int
    /// The last frame.
    package var last: Int
}
