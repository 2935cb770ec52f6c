/// Finds cuts and dissolves in the thumbnails of successive frames.
///
/// At a cut, a frame differs from the previous frame much more than neighbouring frames usually differ, even if one is
/// shifted slightly. After a cut, the image stays different; after a flash, it resembles the frames before the flash.
/// In a dissolve, a frame is the mean of two different frames, one before and one after it.
package struct ShotDetector: Sendable {
    /// The minimum difference of a cut, 0…765; the smallest cut of a dark stage has 30, and running people have 20.
    static let minDifference = 22.0
    /// The minimum ratio of a cut's difference to the mean difference of up to four frames around it.
    static let minRatio = 3.2
    /// The minimum difference between the frames on both sides of a flash, as a fraction of the cut's difference.
    static let minChange = 0.5
    /// The maximum luma correlation with the previous frame at a cut; brighter and darker images of one scene have a
    /// correlation of 0.9.
    static let maxLikeness = 0.7
    /// The maximum duration of a flash, in frames.
    package static let flash = 3
    /// Half of the minimum duration of a dissolve, in seconds.
    static let dissolve = 0.3
    /// The minimum difference across a dissolve.
    static let minAcross = 30.0
    /// The maximum difference between a dissolve's middle and the mean of its ends, as a fraction of the difference
    /// across.
    static let maxDistanceFromCentre = 0.09
    /// The minimum contrast of the frames before and after a dissolve; a fade from black is not a change of scene.
    package static let minContrast = 6.0

    /// The number of following frames needed to decide whether a shot begins at a frame.
    package let delay: Int
    private let half: Int
    private var thumbnails: [Thumbnail] = []
    private var differences: [Double] = []
    /// The number of the first kept thumbnail.
    private var offset = 0
    private var decided = 0
    private var lastStart = 0

    /// Creates a detector for a frame rate.
    ///
    /// - Parameters:
    ///   - fps: Frames per second.
    ///   - maxDelay: The maximum number of frames to wait; with only a few, flashes count as cuts and dissolves are not
    ///     found.
    package init(fps: Double, maxDelay: Int = .max) {
        half = max(2, Int((Self.dissolve * min(fps, 240)).rounded()))
        delay = min(maxDelay, max(2 * half, Self.flash))
    }

    /// Adds the next frame.
    ///
    /// - Returns: Whether the frame may begin a shot, because its difference from the previous frame is large enough
    ///   for a cut.
    @discardableResult
    package mutating func add(_ thumbnail: Thumbnail) -> Bool {
        let last = thumbnails.last
        thumbnails.append(thumbnail)
        guard let last else {
            differences.append(0)
            return true
        }
        var difference = thumbnail.difference(from: last)
        if difference > Self.minDifference / 3 { difference = thumbnail.stillDifference(from: last) }
        differences.append(difference)
        return difference >= Self.minDifference
    }

    /// Returns the frames that begin a shot, among the frames that can be decided now, each once and in order.
    ///
    /// With `isLast`, no more frames follow, and all can be decided.
    package mutating func starts(isLast: Bool = false) -> [Int] {
        var found: [Int] = []
        let end = offset + thumbnails.count
        while decided < end, isLast || decided + delay < end {
            if decided == 0 || isStart(decided - offset) {
                found.append(decided)
                lastStart = decided
            }
            decided += 1
        }
        let spare = decided - offset - half - Self.flash - 2
        if spare > 64 {
            thumbnails.removeFirst(spare)
            differences.removeFirst(spare)
            offset += spare
        }
        return found
    }

    private func isStart(_ at: Int) -> Bool { isCut(at) || isDissolve(at) }

    private func isCut(_ at: Int) -> Bool {
        guard at > 0, differences[at] >= Self.minDifference else { return false }
        let near = [at - 2, at - 1, at + 1, at + 2].filter { $0 > 0 && differences.indices.contains($0) }
        let mean = near.isEmpty ? 0 : near.reduce(0) { $0 + differences[$1] } / Double(near.count)
        guard differences[at] >= Self.minRatio * max(1, mean) else { return false }
        if thumbnails[at].likeness(to: thumbnails[at - 1]) > Self.maxLikeness { return false }
        return (1...Self.flash).allSatisfy { step in
            isOther(at + step, at - 1, than: differences[at]) && isOther(at, at - 1 - step, than: differences[at])
        }
    }

    /// Whether two frames differ enough for a cut; true if one of them does not exist.
    private func isOther(_ one: Int, _ other: Int, than difference: Double) -> Bool {
        guard thumbnails.indices.contains(one), thumbnails.indices.contains(other) else { return true }
        return thumbnails[one].stillDifference(from: thumbnails[other]) >= Self.minChange * difference
    }

    private func isDissolve(_ at: Int) -> Bool {
        guard at + offset - lastStart > half, let share = mixture(at), share <= Self.maxDistanceFromCentre else {
            return false
        }
        // If several consecutive frames are mixtures, only the frame with the minimum difference from the mean counts.
        for step in 1...half {
            if let later = mixture(at + step), later < share { return false }
        }
        return true
    }

    /// Returns the difference of a frame from the mean of the frames around it, relative to the difference between
    /// these frames.
    ///
    /// The value is nil if the frames around it are alike.
    private func mixture(_ at: Int) -> Double? {
        guard thumbnails.indices.contains(at - half), thumbnails.indices.contains(at + half) else { return nil }
        let (before, after) = (thumbnails[at - half], thumbnails[at + half])
        let across = before.difference(from: after)
        guard across >= Self.minAcross, min(before.contrast, after.contrast) >= Self.minContrast else { return nil }
        let share = thumbnails[at].difference(fromMiddleOf: before, after) / across
        guard share <= Self.maxDistanceFromCentre, before.stillDifference(from: after) >= 0.75 * across else {
            return nil
        }
        return share
    }
}
