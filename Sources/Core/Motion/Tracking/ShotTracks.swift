import Framing
import Geometry

/// The people of one shot, in every frame of it.
struct ShotTracks {
    /// Seconds for which a face is assumed to stay where it was last seen, or to have been where it was first seen.
    static let lingering = 0.3
    /// Seconds without a sighting after which a face at the same place begins a new track.
    static let patience = 1.0
    /// Seconds without a sighting after which a person in a live image is no longer expected to stay.
    static let gone = 0.7
    /// Seconds of sightings from which the motion of a person is extrapolated.
    static let trend = 0.6
    /// Seconds in which an extrapolated motion slows down to rest.
    static let coast = 0.5
    /// The least share of the samples between the first and the last sighting in which a person must be found.
    static let minVisible = 0.3
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
            return Double(track.points.count) >= Self.minVisible * Double(chances)
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
    /// person was not found, and where the image ends.
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
    func nearest(in frame: Int, within maximum: Double, _ distance: (FractionalRect) -> Double) -> Int? {
        let near = present(in: frame).map { ($0, distance(subject($0, at: frame).head)) }.filter { $0.1 <= maximum }
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
