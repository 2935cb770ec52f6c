import Framing
import Geometry

/// The people of one shot, in every frame of it.
struct ShotTracks {
    /// Seconds for which a face is assumed to stay where it was last seen, or to have been where it was first seen.
    static let lingering = 0.3
    /// Seconds without a sighting after which a face at the same place begins a new track.
    static let patience = 1.0
    /// Seconds without a sighting after which a person in a live picture is no longer expected to stay.
    static let gone = 0.7
    /// Seconds of sightings from which the motion of a person is extrapolated.
    static let trend = 0.6
    /// Seconds in which an extrapolated motion slows down to rest.
    static let coast = 0.5
    /// The least share of the samples between the first and the last sighting in which a person must be found.
    static let leastSeen = 0.3
    /// The reliability above which a single sighting is a person.
    static let certainAlone = 0.97

    /// Seconds after a sighting in which a person counts in full.
    static let memory = 0.5
    /// The weight of a person who was not seen for longer than ``memory``.
    static let unseen = 0.6
    /// The weight of a person whose face is cut by the left, right or lower edge; a whole head beside it justifies a
    /// motion.
    static let atEdge = 0.1
    /// The weight of a person whose face begins at the upper edge, as close ones do; whole heads are preferred.
    static let atTop = 0.85

    /// The tracks that are people.
    let tracks: [Track]
    /// The weight of each track by size, relative to the largest face: where a crop cannot hold all, larger faces stay.
    private let standings: [Double]
    private let fps: Double
    private let size: PixelSize
    private let frames: Range<Int>
    private let lifetimes: [Range<Int>]
    /// Whether frames after the known ones are expected.
    private let isOpen: Bool

    /// Links the samples of a shot, in their order.
    ///
    /// `known` is the last frame that has arrived, if later ones are expected; nil for a complete shot.
    init(_ samples: [FaceSample], frames: Range<Int>, known: Int? = nil, fps: Double, size: PixelSize) {
        var tracker = Tracker(patience: Int(Self.patience * fps))
        for sample in samples { tracker.add(sample) }
        let times = samples.map(\.frame)
        let people = tracker.tracks.filter { track in
            let chances = times.count { $0 >= track.first.frame && $0 <= track.last.frame }
            if track.points.count == 1 { return times.count < 3 || track.reliability > Self.certainAlone }
            return Double(track.points.count) >= Self.leastSeen * Double(chances)
        }
        self.init(people, frames: frames, known: known, fps: fps, size: size)
    }

    /// The people of given tracks, such as those of an earlier plan.
    init(_ tracks: [Track], frames: Range<Int>, known: Int? = nil, fps: Double, size: PixelSize) {
        self.tracks = tracks
        let largest = tracks.map(\.area).max() ?? 1
        // Roots of two are equal on all processors; `pow` need not be.
        standings = tracks.map {
            ($0.area / max(largest, .leastNormalMagnitude)).squareRoot().squareRoot().squareRoot()
        }
        self.frames = frames
        isOpen = known != nil
        self.fps = fps
        self.size = size
        let margin = Int(Self.lingering * fps)
        lifetimes = tracks.map { track in
            let start = Self.isLeaving(track.points.prefix(2).reversed(), size) ? 0 : margin
            let end = Self.isLeaving(Array(track.points.suffix(2)), size) ? 0 : margin
            let from = max(frames.lowerBound, track.first.frame - start)
            let isThere = end > 0 && known.map { $0 - track.last.frame <= Int(Self.gone * fps) } ?? false
            let last = isThere ? frames.upperBound : min(frames.upperBound, track.last.frame + 1 + end)
            return from..<max(from, last)
        }
    }

    /// The face and the head of a person in a frame.
    func subject(_ index: Int, at frame: Int) -> (face: FractionalRect, head: FractionalRect) {
        let track = tracks[index]
        let (face, head) = track.subject(at: frame)
        let late = Double(frame - track.last.frame)
        guard isOpen, late > 0, let drift = track.drift(over: Int(Self.trend * fps)) else { return (face, head) }
        // The motion slows down evenly until the person stands.
        let time = min(late, Self.coast * fps)
        let way = time - time * time / (2 * Self.coast * fps)
        return (face.moved(x: way * drift.x, y: way * drift.y), head.moved(x: way * drift.x, y: way * drift.y))
    }

    /// The weight of a person in a frame, 0…1: the reliability, less for smaller faces than the largest one, where the
    /// person was not found, and where the picture ends.
    func weight(_ index: Int, in frame: Int) -> Double {
        let track = tracks[index]
        let isSeen = Double(track.distance(toSighting: frame)) <= Self.memory * fps
        return track.reliability * standings[index] * (isSeen ? 1 : Self.unseen)
            * wholeness(track.subject(at: frame).face)
    }

    /// The weight of a person by whether the picture's edge cuts the face.
    private func wholeness(_ face: FractionalRect) -> Double {
        let isCut =
            face.x <= 0.5 || face.x + face.width >= Double(size.width) - 0.5
            || face.y + face.height >= Double(size.height) - 0.5
        return isCut ? Self.atEdge : face.y <= 0.5 ? Self.atTop : 1
    }

    /// The frames in which a person is assumed.
    func lifetime(_ index: Int) -> Range<Int> { lifetimes[index] }

    /// The importance of a person in the shot: the area of the face times the number of frames.
    func importance(_ index: Int) -> Double { tracks[index].area * Double(lifetimes[index].count) }

    /// The people in a frame: the positions in ``tracks``.
    func present(in frame: Int) -> [Int] { tracks.indices.filter { lifetimes[$0].contains(frame) } }

    /// The position of the person in a frame whose head has the least distance, if that is at most `most`.
    func nearest(in frame: Int, within most: Double, _ distance: (FractionalRect) -> Double) -> Int? {
        let near = present(in: frame).map { ($0, distance(subject($0, at: frame).head)) }.filter { $0.1 <= most }
        return near.min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
    }

    /// Whether the second of two sightings is at the left or right edge, and nearer to it: a person who leaves is not
    /// followed.
    private static func isLeaving(_ points: [Track.Point], _ size: PixelSize) -> Bool {
        guard let end = points.last?.head, let start = points.first?.head else { return false }
        let (left, right) = (end.x <= 1, end.x + end.width >= Double(size.width) - 1)
        return left && start.x > end.x + 1 || right && start.x < end.x - 1
    }
}

/// One person within a shot: where the detector saw the face, and where it is assumed between.
struct Track {
    /// One sighting.
    struct Point {
        let frame: Int
        let face: FractionalRect
        let head: FractionalRect
        let subject: Subject
        let isSure: Bool
        /// The motion of the lips, as of ``FaceSighting/lips``; nil if it is not known.
        let lips: Double?
    }

    /// The sightings by frame; never empty.
    private(set) var points: [Point]

    init(_ sighting: FaceSighting, frame: Int) {
        points = [Self.point(sighting, frame)]
    }

    var first: Point { points[0] }
    var last: Point { points[points.count - 1] }

    /// The motion between the last two sightings, in pixels a frame; nil if there is only one.
    var velocity: (x: Double, y: Double)? {
        guard points.count > 1, points[points.count - 2].frame < last.frame else { return nil }
        return motion(from: points[points.count - 2])
    }

    /// The mean motion over the last frames, in pixels a frame; nil if it was seen once.
    func drift(over frames: Int) -> (x: Double, y: Double)? {
        let earlier = points.filter { $0.frame < last.frame }
        return (earlier.first { last.frame - $0.frame <= frames } ?? earlier.last).map(motion)
    }

    /// The mean motion from an earlier sighting to the last one, in pixels a frame.
    private func motion(from: Point) -> (x: Double, y: Double) {
        let time = Double(last.frame - from.frame)
        let across = last.face.x + last.face.width / 2 - from.face.x - from.face.width / 2
        let down = last.face.y + last.face.height / 2 - from.face.y - from.face.height / 2
        return (across / time, down / time)
    }

    /// The mean square of the distance between the middles of the face and of a frame, in square pixels.
    func offCentre(of size: PixelSize) -> Double {
        let sum = points.reduce(0.0) { sum, point in
            let across = point.face.x + (point.face.width - Double(size.width)) / 2
            let down = point.face.y + (point.face.height - Double(size.height)) / 2
            return sum + across * across + down * down
        }
        return sum / Double(points.count)
    }

    /// The reliability of the person: the mean of all sightings, 0…1.
    var reliability: Double {
        Double(points.reduce(0) { $0 + $1.subject.reliability }) / Double(points.count * Subject.certain)
    }

    /// The frames from a frame to the nearest sighting.
    func distance(toSighting frame: Int) -> Int {
        let later = sightings(until: frame)
        let before = later > 0 ? frame - points[later - 1].frame : Int.max
        return min(before, later < points.count ? points[later].frame - frame : Int.max)
    }

    /// The mean area of the face, in square pixels.
    var area: Double { points.reduce(0) { $0 + $1.face.width * $1.face.height } / Double(points.count) }

    mutating func add(_ sighting: FaceSighting, frame: Int) { points.append(Self.point(sighting, frame)) }

    /// The person in a frame: on a line between sightings, and at the first or last one outside of them.
    func subject(at frame: Int) -> (face: FractionalRect, head: FractionalRect) {
        let later = sightings(until: frame)
        if later == 0 { return (first.face, first.head) }
        let before = points[later - 1]
        guard later < points.count else { return (before.face, before.head) }
        let after = points[later]
        let share = Double(frame - before.frame) / Double(after.frame - before.frame)
        return (before.face.mixed(with: after.face, share: share), before.head.mixed(with: after.head, share: share))
    }

    /// The number of sightings up to a frame.
    private func sightings(until frame: Int) -> Int { points.boundary { $0.frame > frame } }

    private static func point(_ sighting: FaceSighting, _ frame: Int) -> Point {
        Point(
            frame: frame,
            face: FractionalRect(sighting.subject.face),
            head: FractionalRect(sighting.subject.head),
            subject: sighting.subject,
            isSure: sighting.isSure,
            lips: sighting.lips
        )
    }
}
