package import Geometry
package import Imaging
package import Pipeline

/// Follows heads through the frames of a video, and covers them where the detector misses them.
///
/// A mask stays for ``hold`` seconds after the last detection of a head. It also covers the same time before the first
/// detection, if these frames are still waiting. During these times it grows, and a copy of it continues the motion of
/// the head. Between two detections of a head, the mask moves from the first position to the second. Weak detections
/// continue a track, but never start a track.
package struct MovingMasks: Sendable {
    /// Time in seconds that a mask stays after its last detection.
    package static let hold = 1.0
    /// The maximum time in seconds between two detections of the same head, without a cut between them.
    package static let maxGap = 10.0
    /// The growth of a mask per second without a detection, as a fraction of its size.
    static let growth = 0.5
    /// The time span in seconds over which the motion of a head is measured.
    static let trend = 0.5
    /// The maximum distance of a head from its last position, in sides of the face.
    ///
    /// It starts at the minimum, and grows per second up to the maximum.
    private static let reach = (minimum: 0.8, perSecond: 2.0, maximum: 3.0)
    /// The maximum change of a face's side between two detections, as a factor.
    static let maxGrowth = 2.0
    /// The maximum number of heads that are followed; if there are more, whole frames are covered for ``hold`` seconds.
    static let maxTracks = 1024

    private struct Sighting {
        let frame: Int
        let time: Double
        let shot: Int
        let head: RedactedHead
    }

    /// A person who stays visible, given by a point in the head at a time.
    package struct Exception: Hashable, Sendable {
        /// Seconds from the first frame.
        package var seconds: Double
        /// The point, in pixels of the upright frame.
        package var point: PixelPoint

        /// A person who becomes visible at a time.
        ///
        /// ``init(except:)`` describes when the visibility ends.
        ///
        /// - Parameters:
        ///   - seconds: Seconds from the first frame.
        ///   - point: A point in the head at that time, in pixels of the upright frame.
        package init(seconds: Double, point: PixelPoint) {
            self.seconds = seconds
            self.point = point
        }
    }

    private struct Track {
        var sightings: [Sighting]
        var isSure: Bool
        /// The times in which the person stays visible; the last range has no end while the person is visible.
        var visible: [ClosedRange<Double>] = []
        var isVisible: Bool { visible.last?.upperBound == .infinity }

        var last: Sighting { sightings[sightings.count - 1] }

        /// Ends the visibility with the frame at `time`.
        mutating func endVisibility(with time: Double) {
            guard isVisible, let begin = visible.popLast()?.lowerBound else { return }
            if begin <= time { visible.append(begin...time) }
        }

        /// The motion before a sighting, in pixels per second; nil if it is unknown.
        func velocity(before index: Int) -> (x: Double, y: Double)? {
            let end = sightings[index]
            let first = sightings[...index].first { end.time - $0.time <= MovingMasks.trend }
            guard let first, end.time > first.time else { return nil }
            let (from, to) = (first.head.box.centre, end.head.box.centre)
            let time = end.time - first.time
            return ((to.x - from.x) / time, (to.y - from.y) / time)
        }
    }

    private var tracks: [Track] = []
    /// The exceptions that have not started yet, in order of time.
    private var exceptions: [Exception]
    /// The frames whose masks were not returned yet.
    private var waiting: [Double] = []
    private var count = 0
    private var time = 0.0
    private var shot = 0
    /// The time until which everything is covered.
    private var coveredUntil = -1.0

    /// Creates masks without frames.
    ///
    /// - Parameter exceptions: People who stay visible. The visibility of a person starts at a given time. It ends at a
    ///   cut, after half a second without a detection, or when another head is so near that the two heads could be
    ///   confused.
    package init(except exceptions: [Exception] = []) {
        self.exceptions = exceptions.sorted { $0.seconds < $1.seconds }
    }

    /// Adds the next frame, in the order of presentation; ``next()`` returns its masks.
    ///
    /// All frames have the same size: after a change of size, start with a new instance.
    ///
    /// - Parameters:
    ///   - heads: The heads of the frame in pixels of the upright frame, including weak ones.
    ///   - seconds: The time since the previous frame, at least 0; ignored for the first frame.
    ///   - isCut: Whether the frame starts a shot.
    package mutating func add(_ heads: [RedactedHead], seconds: Double, isCut: Bool = false) {
        if count > 0 { time += seconds }
        if isCut { shot += 1 }
        let oldest = waiting.first ?? time
        tracks = tracks.filter { mayContinue($0) || $0.isSure && oldest - $0.last.time <= Self.hold }
        var pairs: [(distance: Double, track: Int, head: Int)] = []
        for (index, track) in tracks.enumerated() where mayContinue(track) {
            for (number, head) in heads.enumerated() {
                if let distance = distance(of: head, from: track) { pairs.append((distance, index, number)) }
            }
        }
        pairs.sort { ($0.distance, $0.track, $0.head) < ($1.distance, $1.track, $1.head) }
        var (linked, taken): (Set<Int>, Set<Int>) = ([], [])
        for pair in pairs where !linked.contains(pair.track) && !taken.contains(pair.head) {
            linked.insert(pair.track)
            taken.insert(pair.head)
            let last = tracks[pair.track].last
            if last.shot != shot || time - last.time > Self.trend { tracks[pair.track].endVisibility(with: last.time) }
            tracks[pair.track].sightings.append(sighting(heads[pair.head]))
            tracks[pair.track].isSure = tracks[pair.track].isSure || heads[pair.head].isSure
        }
        for (number, head) in heads.enumerated() where !taken.contains(number) {
            tracks.append(Track(sightings: [sighting(head)], isSure: head.isSure))
        }
        keepVisible()
        if tracks.count > Self.maxTracks {
            tracks.sort { $0.last.time > $1.last.time }
            if tracks[Self.maxTracks].last.time >= time - Self.hold { coveredUntil = time + Self.hold }
            tracks.removeSubrange(Self.maxTracks...)
        }
        waiting.append(time)
        count += 1
    }

    /// The masks of the oldest waiting frame; nil if everything is covered, or if no frame waits.
    ///
    /// It depends on all frames added so far; frames more than ``maxGap`` seconds later do not matter.
    package mutating func next() -> [RedactionMask]? {
        guard !waiting.isEmpty else { return nil }
        let frame = count - waiting.count
        let time = waiting.removeFirst()
        var masks: [RedactionMask] = []
        for index in tracks.indices {
            let past = tracks[index].sightings.lastIndex { $0.frame <= frame }
            let isVisible = tracks[index].visible.contains { $0.contains(time) }
            if tracks[index].isSure, !isVisible { masks += Self.masks(of: tracks[index], past: past, frame, time) }
            // Earlier sightings are used only to measure the motion.
            if let past {
                let start = tracks[index].sightings[past].time - Self.trend
                tracks[index].sightings.removeAll { $0.time < start }
            }
        }
        return time <= coveredUntil ? nil : masks
    }

    /// Starts and ends the visibility of people after a frame was added.
    private mutating func keepVisible() {
        let current = tracks.indices.filter { tracks[$0].last.frame == count }
        let due = exceptions.prefix { $0.seconds <= time }
        var late: [Exception] = []
        for exception in due {
            let named = current.filter { tracks[$0].last.head.box.contains(exception.point) }
                .min { tracks[$0].last.head.box.area < tracks[$1].last.head.box.area }
            if let named, !tracks[named].isVisible { tracks[named].visible.append(time...Double.infinity) }
            // A person who is not found in this frame may be found in one of the next frames.
            if named == nil, time - exception.seconds <= Self.trend { late.append(exception) }
        }
        exceptions.replaceSubrange(0..<due.count, with: late)
        for index in tracks.indices where tracks[index].isVisible {
            let track = tracks[index]
            if time - track.last.time > Self.trend { tracks[index].endVisibility(with: track.last.time) }
            let isNear = current.contains {
                $0 != index && tracks[$0].last.head.isSure && tracks[$0].last.head.box.isNear(track.last.head.box)
            }
            if isNear { tracks[index].endVisibility(with: time.nextDown) }
        }
    }

    private func sighting(_ head: RedactedHead) -> Sighting {
        Sighting(frame: count, time: time, shot: shot, head: head)
    }

    /// Whether a head of the added frame may belong to a track.
    private func mayContinue(_ track: Track) -> Bool {
        time - track.last.time <= (track.isSure && track.last.shot == shot ? Self.maxGap : 2 * Self.hold)
    }

    /// The distance from the last position of a track, or from the position that its motion predicts, in sides of the
    /// face; nil if it is another head.
    private func distance(of head: RedactedHead, from track: Track) -> Double? {
        let last = track.last.head.box
        let (side, other) = (last.side, head.box.side)
        guard side > 0, other > 0, max(side, other) <= Self.maxGrowth * min(side, other) else { return nil }
        let passed = time - track.last.time
        let (from, to) = (last.centre, head.box.centre)
        var way = from.distance(to: to)
        if let velocity = track.velocity(before: track.sightings.count - 1) {
            let (x, y) = (to.x - from.x - passed * velocity.x, to.y - from.y - passed * velocity.y)
            way = min(way, (x * x + y * y).squareRoot())
        }
        let distance = way / max(side, other)
        return distance <= min(Self.reach.maximum, Self.reach.minimum + passed * Self.reach.perSecond) ? distance : nil
    }

    /// The masks of a head in a frame; `past` is the index of the last sighting in this frame or before it.
    private static func masks(of track: Track, past: Int?, _ frame: Int, _ time: Double) -> [RedactionMask] {
        let following = past.map { $0 + 1 } ?? 0
        let after = following < track.sightings.count ? track.sightings[following] : nil
        let before = past.map { track.sightings[$0] }
        if let before, before.frame == frame { return [before.head.mask] }
        var masks: [RedactionMask] = []
        if let before, time - before.time <= hold {
            let passed = time - before.time
            masks.append(before.head.mask.grown(by: 1 + growth * passed))
            if let past, after == nil, let velocity = track.velocity(before: past) {
                masks.append(before.head.mask.moved(x: passed * velocity.x, y: passed * velocity.y))
            }
        }
        if let after, after.time - time <= hold {
            masks.append(after.head.mask.grown(by: 1 + growth * (after.time - time)))
        }
        if let before, let after {
            let share = (time - before.time) / max(after.time - before.time, .leastNormalMagnitude)
            let nearest = min(time - before.time, after.time - time, hold)
            masks.append(before.head.mask(towards: after.head, share: share).grown(by: 1 + growth * nearest))
        }
        return masks
    }
}

extension RedactedHead {
    /// The mask at a fraction of the way to a later detection of the same head.
    fileprivate func mask(towards other: RedactedHead, share: Double) -> RedactionMask {
        let (from, to) = (box.centre, other.box.centre)
        let factor = 1 + share * (other.box.side / max(box.side, 1) - 1)
        return mask.grown(by: max(factor, 1), about: from)
            .moved(x: share * (to.x - from.x), y: share * (to.y - from.y))
    }
}

extension RedactionMask {
    /// The area with parts that are larger by a factor, about their own centres or about a point.
    fileprivate func grown(by factor: Double, about point: PixelPoint? = nil) -> RedactionMask {
        var grown = self
        for index in parts.indices {
            grown.parts[index].halfWidth *= factor
            grown.parts[index].halfHeight *= factor
            if let point {
                let centre = parts[index].centre
                grown.parts[index].centre = PixelPoint(
                    x: point.x + factor * (centre.x - point.x),
                    y: point.y + factor * (centre.y - point.y)
                )
            }
        }
        return grown
    }

    fileprivate func moved(x: Double, y: Double) -> RedactionMask {
        var moved = self
        for index in parts.indices {
            moved.parts[index].centre.x += x
            moved.parts[index].centre.y += y
        }
        return moved
    }
}

extension PixelRect {
    fileprivate func contains(_ point: PixelPoint) -> Bool {
        point.x >= Double(x) && point.x < Double(maxX) && point.y >= Double(y) && point.y < Double(maxY)
    }

    /// Whether the distance of the centres is less than the side of the larger rectangle.
    fileprivate func isNear(_ other: PixelRect) -> Bool {
        centre.distance(to: other.centre) < max(side, other.side)
    }

    /// The side of a square of the same area.
    fileprivate var side: Double { Double(max(0, width) * max(0, height)).squareRoot() }
}
