/// Finds cuts and dissolves in the thumbnails of successive frames.
///
/// A cut is a frame that differs from the frame before, at every small shift, far more than neighbouring frames do, and
/// after which the image stays different: the frames after a flash resemble those before it. A dissolve is a frame
/// that is the mean of the frames before and after it, which differ from each other.
package struct ShotDetector: Sendable {
    /// The least difference of a cut, 0…765; the smallest cut of a dark stage has 30, and running people have 20.
    static let minDifference = 22.0
    /// The least ratio of a cut's difference to the mean difference of up to four frames around it.
    static let minRatio = 3.2
    /// The least difference from the frames across a flash, as a share of that of the cut.
    static let minChange = 0.5
    /// The most correlation of luma with the frame before; brighter and darker images of one scene have 0.9.
    static let maxLikeness = 0.7
    /// Frames for which a flash lasts at most.
    static let flash = 3
    /// Half of the time of the shortest dissolve, in seconds.
    static let dissolve = 0.3
    /// The least difference across a dissolve.
    static let minAcross = 30.0
    /// The most difference of a dissolve's middle from the mean of its ends, as a share of the difference across.
    static let maxDistanceFromCentre = 0.09
    /// The least contrast of the frames before and after a dissolve; a fade from black is no change of the scene.
    static let minContrast = 6.0

    /// Frames that must be known after a frame, to decide whether a shot begins there.
    package let delay: Int
    private let half: Int
    private var thumbnails: [Thumbnail] = []
    private var differences: [Double] = []
    /// The number of the first thumbnail that is kept.
    private var offset = 0
    private var decided = 0
    private var lastStart = 0

    /// A detector for a number of frames a second.
    ///
    /// - Parameters:
    ///   - fps: Frames a second.
    ///   - maxDelay: The most frames to wait for; with few of them, flashes count as cuts and dissolves are not found.
    package init(fps: Double, maxDelay: Int = .max) {
        half = max(2, Int((Self.dissolve * min(fps, 240)).rounded()))
        delay = min(maxDelay, max(2 * half, Self.flash))
    }

    /// Adds the next frame.
    ///
    /// - Returns: Whether it may begin a shot: its difference from the frame before is that of a cut.
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

    /// The frames that begin a shot among those that can be decided now, each once and in their order.
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

    /// Whether two frames differ as those of a cut; true if one of them does not exist.
    private func isOther(_ one: Int, _ other: Int, than difference: Double) -> Bool {
        guard thumbnails.indices.contains(one), thumbnails.indices.contains(other) else { return true }
        return thumbnails[one].stillDifference(from: thumbnails[other]) >= Self.minChange * difference
    }

    private func isDissolve(_ at: Int) -> Bool {
        guard at + offset - lastStart > half, let share = mixture(at), share <= Self.maxDistanceFromCentre else {
            return false
        }
        // Of several mixtures in a row, only the one with the least difference from the mean counts.
        for step in 1...half {
            if let later = mixture(at + step), later < share { return false }
        }
        return true
    }

    /// The difference of a frame from the mean of the frames around it, as a share of the difference between those; nil
    /// if they are alike.
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
